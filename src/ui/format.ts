/** How numbers, sizes, times and places read in the interface. */

const LOCALE = navigator.language.startsWith('en') ? navigator.language : 'en';
const whole = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 });
const day = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', year: 'numeric' });
const dayAndTime = new Intl.DateTimeFormat(LOCALE, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

export function formatCount(count: number): string {
  return whole.format(count);
}

/** `count` with its noun: "1 turn", "1,240 turns". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

export function formatDay(time: number): string {
  return day.format(time);
}

export function formatDayAndTime(time: number): string {
  return dayAndTime.format(time);
}

/** A score to two digits, with a minus sign that is as wide as a plus: "0.31", "−1.20". */
export function formatScore(score: number): string {
  const text = score.toFixed(2);
  if (Number(text) === 0) return '0.00';
  return text.replace('-', '−');
}

/** A duration in milliseconds: "under 1 ms", "41 ms", "1.2 s". */
export function formatMilliseconds(milliseconds: number): string {
  if (milliseconds < 1) return 'under 1 ms';
  if (milliseconds < 1000) return `${whole.format(milliseconds)} ms`;
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** Bytes in the unit a person would choose: "812 bytes", "24 MB", "1.3 GB". */
export function formatBytes(bytes: number): string {
  const units = ['kB', 'MB', 'GB', 'TB'];
  if (bytes < 1000) return counted(bytes, 'byte');
  let value = bytes;
  let unit = -1;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 10 ? value.toFixed(1) : whole.format(value)} ${units[unit]}`;
}

/** Remaining time, coarse on purpose: "a few seconds", "about 3 min", "about 2 h 10 min". */
export function formatRemaining(seconds: number): string {
  if (seconds < 10) return 'a few seconds';
  if (seconds < 60) return `about ${Math.round(seconds / 5) * 5} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `about ${minutes} min`;
  return `about ${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The number a person knows a turn by: they count from 1. */
export function turnNumber(index: number): number {
  return index + 1;
}

/** The turns `start` to `end - 1` as a place: "Turn 12" or "Turns 12–30". */
export function turnSpan(start: number, end: number): string {
  const first = formatCount(turnNumber(start));
  return end - start <= 1 ? `Turn ${first}` : `Turns ${first}–${formatCount(end)}`;
}

/** How far back something lies, to three digits at most: "about 1,240 turns ago", "12 turns ago". */
export function formatDistance(turns: number): string {
  if (turns <= 0) return 'the latest turns';
  if (turns < 50) return `${counted(turns, 'turn')} ago`;
  const step = 10 ** Math.max(1, Math.floor(Math.log10(turns)) - 2);
  return `about ${formatCount(Math.round(turns / step) * step)} turns ago`;
}
