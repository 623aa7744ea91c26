import type { AnswerModel } from '../models.ts';
import { endpointAddress } from './address.ts';
import { type EndpointAccess, EndpointApi } from './endpoint-api.ts';

/** What a person states about a server. */
export interface EndpointSettings {
  /** With or without `/v1`. */
  readonly url: string;
  /** As the server's list names it. */
  readonly model: string;
  /** Tokens of prompt and answer together that the server was started with: no server of the protocol tells. */
  readonly contextWindow: number;
}

/** The catalogue entry of a model behind a server. Rejects an address that is none with `bad-argument`. */
export function endpointModel(
  { url, model, contextWindow }: EndpointSettings,
  { hosts }: EndpointAccess = {},
): AnswerModel {
  const { api, root } = endpointAddress(url, hosts);
  return {
    id: `endpoint:${api}:${model}`,
    engine: 'endpoint',
    title: `${model} at ${root.replace(/^https?:\/\//, '')}`,
    bytes: 0,
    contextWindow,
    licence: "see the server's model",
    needs: { webgpu: false, shaderF16: false, memoryBytes: 0 },
    source: { kind: 'endpoint', url: api, model },
    note: 'Your question and the recalled episodes leave the tab: they are sent to this server.',
  };
}

/** Models that a server offers, for a person to choose from; empty where it keeps no list. */
export async function listEndpointModels(
  url: string,
  access: EndpointAccess = {},
  signal?: AbortSignal,
): Promise<readonly string[]> {
  return (await new EndpointApi(url, access).models(signal))?.names ?? [];
}
