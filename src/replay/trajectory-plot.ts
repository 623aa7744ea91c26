import { COLOURS, escaped } from '../bench/sweep-plot.ts';
import type { TrajectoryPoint } from './summary.ts';

const PANEL = { width: 230, gap: 60, left: 45, top: 40, bottom: 260 } as const;
/** Curves that coincide stand a little apart. */
const APART = 3;
const LINE_HEIGHT = 16;

/** Scores by checkpoint as an SVG document: a panel for each history, a curve for each condition. */
export function trajectoryPlot(points: readonly TrajectoryPoint[]): string {
  const histories = [...new Set(points.map(({ history }) => history))];
  const conditions = [...new Set(points.map(({ condition }) => condition))];
  const panels = histories.map((history, i) =>
    panel(
      points.filter((point) => point.history === history),
      conditions,
      PANEL.left + i * (PANEL.width + PANEL.gap),
    ),
  );
  const width = PANEL.left + histories.length * (PANEL.width + PANEL.gap);
  const height = PANEL.bottom + 45 + conditions.length * LINE_HEIGHT;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">`,
    '<title>Score by checkpoint</title>',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...panels,
    ...conditions.map(legend),
    '</svg>\n',
  ].join('\n');
}

function panel(own: readonly TrajectoryPoint[], conditions: readonly string[], left: number): string {
  const checkpoints = [...new Set(own.map(({ checkpoint }) => checkpoint))];
  const x = (checkpoint: string) =>
    left + ((checkpoints.indexOf(checkpoint) + 0.5) / checkpoints.length) * PANEL.width;
  const grid = [0, 0.2, 0.4, 0.6, 0.8, 1].map(
    (value) =>
      `<line x1="${left}" x2="${left + PANEL.width}" y1="${y(value)}" y2="${y(value)}" stroke="#dddddd"/>` +
      `<text x="${left - 6}" y="${y(value)}" text-anchor="end" dominant-baseline="central">${value}</text>`,
  );
  const labels = checkpoints.map(
    (name) =>
      `<text x="${x(name).toFixed(1)}" y="${PANEL.bottom + 16}" text-anchor="middle">${escaped(name)}</text>`,
  );
  const curves = conditions.map((condition, i) => {
    const shift = APART * (i - (conditions.length - 1) / 2);
    const places = own
      .filter((point) => point.condition === condition)
      .map(({ checkpoint, score }) => [(x(checkpoint) + shift).toFixed(1), y(score)] as const);
    return curve(places, colourOf(i));
  });
  const title = `<text x="${left}" y="20" font-weight="bold">${escaped(own[0]!.history)}</text>`;
  return [title, ...grid, ...labels, ...curves].join('\n');
}

function curve(places: readonly (readonly [x: string, y: string])[], colour: string): string {
  const path = places.map((place) => place.join(',')).join(' ');
  const marks = places.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3" fill="${colour}"/>`);
  return `<g stroke="${colour}" fill="none"><polyline points="${path}"/>${marks.join('')}</g>`;
}

function legend(condition: string, i: number): string {
  const top = PANEL.bottom + 40 + i * LINE_HEIGHT;
  return (
    `<circle cx="${PANEL.left + 4}" cy="${top}" r="4" fill="${colourOf(i)}"/>` +
    `<text x="${PANEL.left + 13}" y="${top}" dominant-baseline="central">${escaped(condition)}</text>`
  );
}

function y(score: number): string {
  return (PANEL.bottom - score * (PANEL.bottom - PANEL.top)).toFixed(1);
}

function colourOf(i: number): string {
  return COLOURS[i % COLOURS.length]!;
}
