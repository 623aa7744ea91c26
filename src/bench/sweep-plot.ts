import type { QueryMode } from './exchange.ts';
import type { Proportion } from './statistics.ts';
import { recallAt, type SweepPoint } from './sweep.ts';

const WIDTH = 900;
const HEIGHT = 400;
/** Labels longer than this stand aslant. */
const LONG_LABEL = 5;
const PANEL = { top: 30, bottom: 300, width: 340, lefts: [70, 440] } as const;
/** Colours that readers with any colour vision tell apart (Okabe and Ito 2008). */
export const COLOURS = [
  '#0072b2',
  '#d55e00',
  '#009e73',
  '#cc79a7',
  '#e69f00',
  '#56b4e9',
  '#000000',
  '#7f7f7f',
];
const MODES: readonly { readonly mode: QueryMode; readonly title: string }[] = [
  { mode: 'query', title: 'question alone' },
  { mode: 'query+options', title: 'with options' },
];

/**
 * recall@5 with its interval over the settings of a sweep, as an SVG document: a panel for each mode. Where every
 * setting has one system and they differ, those are the settings of one line.
 */
export function sweepPlot(varied: string, points: readonly SweepPoint[]): string {
  const names = [...new Set(points.flatMap(({ result }) => result.systems.map(({ name }) => name)))];
  const lines = points.every(({ result }) => result.systems.length === 1) ? [varied] : names;
  const panels = MODES.map(({ mode, title }, i) => {
    const left = PANEL.lefts[i]!;
    const x = (at: number) => left + ((at + 0.5) / points.length) * PANEL.width;
    const curves = lines.map((line, own) => {
      const values = points.map((point) =>
        recallAt(point, lines === names ? line : point.result.systems[0]!.name, mode),
      );
      return curve(
        values,
        (at) => x(at) + 3 * (own - (lines.length - 1) / 2),
        COLOURS[own % COLOURS.length]!,
      );
    });
    return [axes(left, `recall@5, ${title}`), labels(points, x), ...curves].join('\n');
  });
  const key = lines === names ? legend(names) : '';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="11">`,
    `<title>recall@5 by ${escaped(varied)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    ...panels,
    `<text x="${WIDTH / 2}" y="${HEIGHT - 8}" text-anchor="middle">${escaped(varied)}</text>`,
    key,
    '</svg>\n',
  ].join('\n');
}

function axes(left: number, title: string): string {
  const grid = [0, 0.2, 0.4, 0.6, 0.8, 1].map(
    (value) =>
      `<line x1="${left}" x2="${left + PANEL.width}" y1="${y(value)}" y2="${y(value)}" stroke="#dddddd"/>` +
      `<text x="${left - 6}" y="${y(value)}" text-anchor="end" dominant-baseline="central">${value}</text>`,
  );
  const head = `<text x="${left}" y="16" font-weight="bold">${title}</text>`;
  return [head, ...grid].join('\n');
}

function labels(points: readonly SweepPoint[], x: (at: number) => number): string {
  const long = points.some(({ label }) => label.length > LONG_LABEL);
  return points
    .map(({ label }, at) => {
      const [left, top] = [x(at).toFixed(1), PANEL.bottom + 15];
      const place = long
        ? `text-anchor="end" transform="rotate(-20 ${left} ${top})"`
        : 'text-anchor="middle"';
      return `<text x="${left}" y="${top}" ${place}>${escaped(label)}</text>`;
    })
    .join('\n');
}

function curve(
  values: readonly (Proportion | undefined)[],
  x: (at: number) => number,
  colour: string,
): string {
  const known = values.flatMap((value, at) => (value ? [{ at, value }] : []));
  const path = known.map(({ at, value }) => `${x(at).toFixed(1)},${y(value.value)}`).join(' ');
  const marks = known.map(
    ({ at, value }) =>
      `<line x1="${x(at).toFixed(1)}" x2="${x(at).toFixed(1)}" y1="${y(value.low)}" y2="${y(value.high)}"/>` +
      `<circle cx="${x(at).toFixed(1)}" cy="${y(value.value)}" r="3" fill="${colour}"/>`,
  );
  return `<g stroke="${colour}" fill="none"><polyline points="${path}"/>${marks.join('')}</g>`;
}

function legend(names: readonly string[]): string {
  return names
    .map((name, i) => {
      const left = 800;
      const top = PANEL.top + 18 * i;
      return (
        `<circle cx="${left}" cy="${top}" r="4" fill="${COLOURS[i % COLOURS.length]}"/>` +
        `<text x="${left + 9}" y="${top}" dominant-baseline="central">${escaped(name)}</text>`
      );
    })
    .join('\n');
}

function y(value: number): string {
  return (PANEL.bottom - value * (PANEL.bottom - PANEL.top)).toFixed(1);
}

/** `text` inside an SVG document. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
