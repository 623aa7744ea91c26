const UNITS = [
  ['year', 365.25 * 86_400_000],
  ['month', 30.44 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How long ago `time` was at `now` (both in milliseconds), in the largest unit that it fills: "3 days ago". */
export function ageInWords(time: number, now: number): string {
  for (const [unit, milliseconds] of UNITS) {
    const count = Math.floor((now - time) / milliseconds);
    if (count >= 1) return `${count} ${unit}${count > 1 ? 's' : ''} ago`;
  }
  return 'just now';
}
