/** The part of voy-search that its package does not type: bindings that run on any instance of its module. */
declare module 'voy-search/voy_search_bg.js' {
  export { Voy } from 'voy-search';
  /** Sets the instance that every later call goes to. */
  export function __wbg_set_wasm(exports: WebAssembly.Exports): void;
}
