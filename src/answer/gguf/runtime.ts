/**
 * Folder of llama.cpp's WASM build below the site's root, named after the package's version: what lies there never
 * changes, so that it can be kept without asking again.
 */
export const LLAMA_VERSION = '3.13.0';
export const LLAMA_FOLDER = `runtime/llama-${LLAMA_VERSION}`;
