/** Colours and type of everything shown on a page: those of Skein's own pages, apart from the site's. */
export const BASE_STYLE = `
:host {
  all: initial;
  position: fixed;
  z-index: 2147483646;
  color-scheme: light;
  --surface: #ffffff; --sunken: #e9edea; --line: #d3dad6; --ink: #17201d; --soft: #4b5853;
  --woad: #15566a; --tint: #deebee; --on-woad: #ffffff; --madder: #9d2d27;
  font: 14px/1.5 "Segoe UI", -apple-system, BlinkMacSystemFont, Roboto, "Noto Sans", Cantarell, Arial, sans-serif;
  color: var(--ink);
}
:host([data-theme="dark"]) {
  color-scheme: dark;
  --surface: #1a201f; --sunken: #0c100f; --line: #3d4945; --ink: #e3e9e6; --soft: #a7b4ae;
  --woad: #86c9dc; --tint: #1b333b; --on-woad: #08222a; --madder: #f29b92;
}
:host([hidden]) { display: none; }
* { box-sizing: border-box; }
button {
  font: inherit; color: var(--woad); background: var(--surface); border: 1px solid var(--line);
  border-radius: 8px; padding: 4px 12px; cursor: pointer;
}
button:hover { background: var(--tint); }
button:disabled { opacity: 0.55; cursor: default; }
button.main { background: var(--woad); color: var(--on-woad); border-color: var(--woad); }
:focus-visible { outline: 2px solid var(--woad); outline-offset: 2px; }
`;
