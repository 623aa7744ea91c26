import { css, html, type SVGTemplateResult, svg, type TemplateResult } from 'lit';
import type { Table } from '../../bench/tables.ts';
import { figureTable } from './figure-table.ts';

/** Plots as plain SVG, in pixels of the width they are given. Every plot has a title, a description and a table. */

/** A value with its interval, of one series. */
export interface PlotMark {
  readonly series: number;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface PlotRow {
  readonly label: string;
  readonly marks: readonly PlotMark[];
}

export interface PlotHead {
  readonly title: string;
  /** What is seen in it, in a sentence, for who can't. */
  readonly description: string;
  readonly axis: string;
  readonly width: number;
}

/** Series that colours and shapes tell apart. */
export const SERIES_SHOWN = 6;

const ROW_GAP = 10;
const MARK_HEIGHT = 13;
const AXIS = 34;
/** Mean width of a letter of a label, in pixels, amply. */
const LETTER = 6.6;
const TOP = 6;

/** Rows of values with intervals along a shared axis from `low` to `high`. */
export function intervalPlot(
  { title, description, axis, width }: PlotHead,
  rows: readonly PlotRow[],
  { low, high }: { readonly low: number; readonly high: number },
): TemplateResult {
  const longest = Math.max(...rows.map(({ label }) => label.length));
  const labels = Math.min(longest * LETTER + 6, width * 0.34);
  const left = labels + 10;
  const right = width - 14;
  const x = (value: number) => left + ((value - low) / (high - low)) * (right - left);
  let y = TOP;
  const drawn = rows.map(({ label, marks }) => {
    const top = y;
    const height = Math.max(1, marks.length) * MARK_HEIGHT;
    y += height + ROW_GAP;
    return svg`
      <text class="label" x=${labels} y=${top + height / 2} text-anchor="end" dominant-baseline="central">${clip(label, labels)}</text>
      ${marks.map((mark, i) => intervalMark(mark, x, top + (i + 0.5) * MARK_HEIGHT))}`;
  });
  const bottom = y - ROW_GAP / 2;
  return frame(title, description, width, bottom + AXIS, [
    ticks(low, high).map((tick) => gridLine(x(tick), TOP, bottom, tick, tick === 0 && low < 0)),
    drawn,
    svg`<text class="axis" x=${Math.min((left + right) / 2, width - axis.length * LETTER * 0.45)} y=${bottom + AXIS - 4} text-anchor="middle">${axis}</text>`,
  ]);
}

export interface PlotLine {
  readonly series: number;
  readonly points: readonly { readonly x: number; readonly mark: PlotMark }[];
}

/** Lines over a logarithmic axis; values from 0 to 1. */
export function linePlot(
  { title, description, axis, width }: PlotHead,
  lines: readonly PlotLine[],
  nameOf: (x: number) => string,
): TemplateResult {
  const [left, right, bottom] = [40, width - 18, 250];
  const xs = [...new Set(lines.flatMap(({ points }) => points.map((point) => point.x)))].sort(
    (a, b) => a - b,
  );
  const [first, last] = [Math.log(xs[0]!), Math.log(xs.at(-1)!)];
  const x = (value: number) =>
    last === first
      ? (left + right) / 2
      : left + 12 + ((Math.log(value) - first) / (last - first)) * (right - left - 24);
  const y = (value: number) => TOP + (1 - value) * (bottom - TOP);
  return frame(title, description, width, bottom + AXIS, [
    [0, 0.25, 0.5, 0.75, 1].map(
      (tick) => svg`<line class="grid" x1=${left} x2=${right} y1=${y(tick)} y2=${y(tick)} />
        <text class="tick" x=${left - 6} y=${y(tick)} text-anchor="end" dominant-baseline="central">${tick}</text>`,
    ),
    xs.map(
      (value) =>
        svg`<text class="tick" x=${x(value)} y=${bottom + 14} text-anchor="middle">${nameOf(value)}</text>`,
    ),
    lines.map(({ series, points }) => {
      const path = points.map(({ x: at, mark }) => `${x(at)},${y(mark.value)}`).join(' ');
      return svg`<polyline class="line s${series}" points=${path} />
        ${points.map(
          ({
            x: at,
            mark,
          }) => svg`<line class="interval s${series}" x1=${x(at)} x2=${x(at)} y1=${y(mark.low)} y2=${y(mark.high)} />
            ${shape(series, x(at), y(mark.value))}`,
        )}`;
    }),
    svg`<text class="axis" x=${(left + right) / 2} y=${bottom + AXIS - 2} text-anchor="middle">${axis}</text>`,
  ]);
}

/** A series' mark beside its name. */
export function legendMark(series: number): TemplateResult {
  return html`<svg class="legend" viewBox="-8 -8 16 16" width="16" height="16" aria-hidden="true">${shape(series, 0, 0)}</svg>`;
}

/** The figures of a plot as a table, for who reads numbers rather than dots. */
export function plotTable(caption: string, table: Table): TemplateResult {
  return html`<details>
    <summary>As a table</summary>
    ${figureTable(caption, table)}
  </details>`;
}

/** Round numbers from `low` to `high`, about five. */
export function ticks(low: number, high: number): number[] {
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((one) => one >= rough * 0.999)!;
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, i) => Number(((first + i) * step).toPrecision(6)));
}

function intervalMark(
  { series, value, low, high }: PlotMark,
  x: (value: number) => number,
  y: number,
): SVGTemplateResult {
  return svg`<line class="interval s${series}" x1=${x(low)} x2=${x(high)} y1=${y} y2=${y} />${shape(series, x(value), y)}`;
}

function shape(series: number, x: number, y: number): SVGTemplateResult {
  const at = `translate(${x} ${y})`;
  const form = SHAPES[series % SHAPES.length]!;
  return svg`<path class="mark s${series}" transform=${at} d=${form} />`;
}

/** A circle, a square, a triangle, a diamond, a cross and a bar, of about equal weight. */
const SHAPES = [
  'M-4.2 0a4.2 4.2 0 1 0 8.4 0a4.2 4.2 0 1 0 -8.4 0z',
  'M-3.8 -3.8h7.6v7.6h-7.6z',
  'M0 -5L4.8 3.6H-4.8z',
  'M0 -5.4L5.4 0L0 5.4L-5.4 0z',
  'M-4.6 -3L-3 -4.6L0 -1.6L3 -4.6L4.6 -3L1.6 0L4.6 3L3 4.6L0 1.6L-3 4.6L-4.6 3L-1.6 0z',
  'M-1.7 -5.2h3.4v10.4h-3.4z',
];

function gridLine(x: number, top: number, bottom: number, tick: number, strong: boolean): SVGTemplateResult {
  return svg`<line class=${strong ? 'zero' : 'grid'} x1=${x} x2=${x} y1=${top} y2=${bottom} />
    <text class="tick" x=${x} y=${bottom + 12} text-anchor="middle">${String(tick).replace('-', '−')}</text>`;
}

function frame(
  title: string,
  description: string,
  width: number,
  height: number,
  content: unknown,
): TemplateResult {
  return html`<svg class="plot" role="img" viewBox="0 0 ${width} ${height}" width=${width} height=${height}>
    <title>${title}</title>
    <desc>${description}</desc>
    ${content}
  </svg>`;
}

/** A label that fits its column of pixels, by the mean width of a letter. */
function clip(label: string, pixels: number): string {
  const fit = Math.floor(pixels / LETTER);
  return label.length <= fit ? label : `${label.slice(0, fit - 1)}…`;
}

export const plotStyles = css`
  .plot {
    display: block;
    max-width: 100%;
    overflow: visible;
    font-size: 12px;
  }
  .plot text {
    fill: var(--ink);
    font-family: var(--font);
    font-variant-numeric: tabular-nums;
  }
  .plot .tick,
  .plot .axis {
    fill: var(--ink-soft);
    font-size: 11px;
  }
  .grid {
    stroke: var(--line);
  }
  .zero {
    stroke: var(--line-strong);
  }
  .interval {
    stroke: currentColor;
    stroke-width: 1.5;
    opacity: 0.5;
  }
  .line {
    fill: none;
    stroke: currentColor;
    stroke-width: 1.75;
  }
  .mark {
    fill: currentColor;
  }
  .s0 {
    color: var(--woad);
  }
  .s1 {
    color: var(--madder);
  }
  .s2 {
    color: var(--weld-line);
  }
  .s3 {
    color: var(--ink);
  }
  .s4 {
    color: var(--line-strong);
  }
  .s5 {
    color: color-mix(in oklab, var(--woad) 50%, var(--madder));
  }
  .legend {
    flex: none;
  }
`;
