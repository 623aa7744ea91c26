/** Where the tests' server offers the GGUF file that the environment variable SKEIN_GGUF names. */
export const GGUF_PATH = '/gguf-under-test';
