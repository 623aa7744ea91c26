import { html, nothing, type SVGTemplateResult, svg, type TemplateResult } from 'lit';

/** Line icons on a 20 x 20 grid, drawn for this project; they inherit the colour and the size of the text. */
const shapes = {
  menu: svg`<path d="M3 5.5h14M3 10h14M3 14.5h9" />`,
  plus: svg`<path d="M10 4v12M4 10h12" />`,
  close: svg`<path d="m5 5 10 10M15 5 5 15" />`,
  import: svg`<path d="M10 3v9m0 0 3.5-3.5M10 12 6.5 8.5M3.5 13v2.5a1 1 0 0 0 1 1h11a1 1 0 0 0 1-1V13" />`,
  export: svg`<path d="M10 12V3m0 0 3.5 3.5M10 3 6.5 6.5M3.5 13v2.5a1 1 0 0 0 1 1h11a1 1 0 0 0 1-1V13" />`,
  settings: svg`<path d="M3 6h8m4 0h2M3 14h2m4 0h8" /><circle cx="13" cy="6" r="2" /><circle cx="7" cy="14" r="2" />`,
  search: svg`<circle cx="8.5" cy="8.5" r="5" /><path d="m12.5 12.5 4 4" />`,
  pin: svg`<path d="M7 3h6l-.8 5 2.8 3H5l2.8-3zM10 11v6" />`,
  pinned: svg`<path d="M7 3h6l-.8 5 2.8 3H5l2.8-3z" fill="currentColor" /><path d="M10 11v6" />`,
  forget: svg`<circle cx="10" cy="10" r="6" stroke-dasharray="1.9 2.81" />`,
  remember: svg`<path d="M4.5 8.5h7a4 4 0 0 1 0 8H8M4.5 8.5l3.5-3.5M4.5 8.5 8 12" />`,
  edit: svg`<path d="m4 16 .8-3.5L13.5 3.8l2.7 2.7-8.7 8.7zM11.5 5.8l2.7 2.7" />`,
  erase: svg`<path d="M4 5.5h12M8 5.5V3.5h4v2M5.5 5.5l.8 11h7.4l.8-11M8.5 8.5v5M11.5 8.5v5" />`,
  more: svg`<circle cx="4.5" cy="10" r="1.2" fill="currentColor" /><circle cx="10" cy="10" r="1.2" fill="currentColor" /><circle cx="15.5" cy="10" r="1.2" fill="currentColor" />`,
  goto: svg`<path d="M4 10h11m0 0-4-4m4 4-4 4" />`,
  jump: svg`<path d="M10 3v8m0 0 3.5-3.5M10 11 6.5 7.5" /><circle cx="10" cy="15.5" r="1.7" />`,
  down: svg`<path d="M10 4v12m0 0 4.5-4.5M10 16l-4.5-4.5" />`,
  send: svg`<path d="M10 16V4m0 0 4.5 4.5M10 4 5.5 8.5" />`,
  stop: svg`<rect x="5.5" y="5.5" width="9" height="9" rx="1" fill="currentColor" />`,
  pause: svg`<path d="M7.5 5v10M12.5 5v10" />`,
  play: svg`<path d="M7 4.5 15 10l-8 5.5z" />`,
  chevron: svg`<path d="m7.5 5 5 5-5 5" />`,
  link: svg`<path d="M8.5 11.5a3 3 0 0 0 4.3.2l2.5-2.5a3 3 0 0 0-4.3-4.3L9.8 6.1M11.5 8.5a3 3 0 0 0-4.3-.2l-2.5 2.5a3 3 0 0 0 4.3 4.3l1.2-1.2" />`,
  again: svg`<path d="M15.5 8a6 6 0 1 0 .3 4M15.8 4v4.2h-4.2" />`,
  warning: svg`<path d="M10 3.5 17.5 16.5h-15zM10 8.5v3.5M10 14.3v.1" />`,
  info: svg`<circle cx="10" cy="10" r="7" /><path d="M10 9v5M10 6.3v.1" />`,
  check: svg`<path d="m4.5 10.5 3.5 3.5 7.5-8" />`,
  lab: svg`<path d="M8 3.5v4.7l-4.2 7a1 1 0 0 0 .9 1.5h10.6a1 1 0 0 0 .9-1.5l-4.2-7V3.5M6.5 3.5h7M5.9 12.5h8.2" />`,
  clock: svg`<circle cx="10" cy="10" r="7" /><path d="M10 6v4l2.8 1.8" />`,
  copy: svg`<rect x="7.5" y="7.5" width="9" height="9" rx="1.5" /><path d="M12.5 7.5v-3a1 1 0 0 0-1-1h-7a1 1 0 0 0-1 1v7a1 1 0 0 0 1 1h3" />`,
  branch: svg`<circle cx="6" cy="4.5" r="1.7" /><circle cx="6" cy="15.5" r="1.7" /><circle cx="14" cy="7.5" r="1.7" /><path d="M6 6.2v7.6M14 9.2c0 2.6-8 1.8-8 4.6" />`,
  model: svg`<rect x="5.5" y="5.5" width="9" height="9" rx="1.5" /><path d="M8 2.8v2.7M12 2.8v2.7M8 14.5v2.7M12 14.5v2.7M2.8 8h2.7M2.8 12h2.7M14.5 8h2.7M14.5 12h2.7" />`,
  file: svg`<path d="M5 3h6.5L15 6.5V17H5zM11.5 3v3.5H15" />`,
} satisfies Record<string, SVGTemplateResult>;

export type IconName = keyof typeof shapes;

/** An icon beside a label, or alone with `label` as its accessible name. */
export function icon(name: IconName, label?: string): TemplateResult {
  return html`<svg
    class="icon"
    viewBox="0 0 20 20"
    fill="none"
    stroke="currentColor"
    stroke-width="1.6"
    stroke-linecap="round"
    stroke-linejoin="round"
    role=${label ? 'img' : nothing}
    aria-label=${label ?? nothing}
    aria-hidden=${label ? nothing : 'true'}
  >
    ${shapes[name]}
  </svg>`;
}
