/**
 * The answer worker as it is, on a network that can fail and with a GPU that can be taken away. A model below
 * https://models.test/FAULT~FILE/ is the one of test/fixtures/webllm-tiny with FAULT done to FILE; the page says the
 * rest over a channel.
 */
const FIXTURE = '/test/fixtures/webllm-tiny/resolve/main/';
const HOST = 'https://models.test/';
const channel = new BroadcastChannel('webllm-test');

let device: GPUDevice | undefined;

const FAULTS: Readonly<Record<string, (file: Uint8Array<ArrayBuffer>) => Response>> = {
  missing: () => new Response('no such file', { status: 404 }),
  page: () =>
    new Response('<!doctype html><title>Home</title>', { headers: { 'content-type': 'text/html' } }),
  hiddenpage: () => new Response('\n<html><body>Home</body></html>'),
  truncated: (file) => new Response(file.slice(0, file.length / 2)),
  altered: (file) => new Response(file.map((byte, i) => (i % 100 === 50 ? byte ^ 1 : byte))),
};

const realFetch = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const url = input instanceof Request ? input.url : String(input);
  if (!url.startsWith(HOST)) return realFetch(input, init);
  channel.postMessage({ fetched: url });
  const [fault, target] = url.slice(HOST.length).split('/', 1)[0]!.split('~');
  const name = url.slice(url.lastIndexOf('/') + 1);
  const response = await realFetch(FIXTURE + name, init);
  if (name !== target || init?.method === 'HEAD') return response;
  return FAULTS[fault!]!(new Uint8Array(await response.arrayBuffer()));
};

const { requestDevice } = GPUAdapter.prototype;
GPUAdapter.prototype.requestDevice = async function (descriptor) {
  device = await requestDevice.call(this, descriptor);
  return device;
};

channel.onmessage = ({ data }: MessageEvent<{ do?: 'lose-device' | 'hide-gpu' }>) => {
  if (data.do === 'lose-device') device?.destroy();
  if (data.do === 'hide-gpu') {
    Object.defineProperty(navigator, 'gpu', { value: undefined, configurable: true });
    channel.postMessage({ gpuHidden: true });
  }
};

await import('../../../workers/answer.worker.ts');

export {};
