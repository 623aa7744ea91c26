import { SkeinError } from '../../core/errors.ts';
import { type EndpointAddress, type EndpointHosts, endpointAddress } from './address.ts';
import { endpointFailure, isRecord, serverError, unreachable } from './failure.ts';

export interface EndpointAccess {
  /** The key, if any, at the time of a request. It is sent as a bearer token and kept nowhere. */
  readonly key?: () => string | undefined;
  /** Default: this machine only. */
  readonly hosts?: EndpointHosts;
}

export interface EndpointModels {
  readonly names: readonly string[];
  /** llama.cpp's own server, which also counts tokens. */
  readonly llamaCpp: boolean;
}

/** One server: sends a request and turns whatever is wrong with the answer into a SkeinError. */
export class EndpointApi {
  readonly address: EndpointAddress;
  private readonly origin: string;

  constructor(
    url: string,
    private readonly access: EndpointAccess = {},
  ) {
    this.address = endpointAddress(url, access.hosts);
    this.origin = new URL(this.address.root).origin;
  }

  /** What the server offers (`GET /v1/models`); undefined where it keeps no list. */
  async models(signal?: AbortSignal): Promise<EndpointModels | undefined> {
    const answer = await this.request(`${this.address.api}/models`, undefined, signal).then(
      (response) => this.json(response),
      (error) => {
        if (error instanceof SkeinError && error.code === 'model-missing') return undefined;
        throw error;
      },
    );
    if (!isRecord(answer) || !Array.isArray(answer.data)) return undefined;
    const entries = answer.data.filter(isRecord);
    return {
      names: entries.map(({ id }) => id).filter((id) => typeof id === 'string'),
      llamaCpp: entries.some(({ owned_by }) => owned_by === 'llamacpp'),
    };
  }

  /** Sends `body` to `url` as JSON (GET without a body); resolves with an answer of status 2xx. */
  async request(url: string, body: unknown, signal?: AbortSignal): Promise<Response> {
    const key = this.access.key?.();
    const response = await this.send(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(key && { Authorization: `Bearer ${key}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      // A redirect could lead off this machine.
      redirect: 'error',
      ...(signal && { signal }),
    });
    if (response.ok) return response;
    const text = await response.text();
    throw endpointFailure(
      this.origin,
      response.status,
      serverError(parse(text)) ?? { message: text.trim() || 'nothing', kinds: [] },
    );
  }

  /** The answer as JSON; an error object in it is thrown. */
  async json(response: Response): Promise<unknown> {
    const text = await response.text();
    const answer = parse(text);
    if (answer === undefined) {
      throw new SkeinError(
        'download-failed',
        `${this.origin} answers with something that is no JSON: ${text.slice(0, 80)}`,
        'Check that the address is that of a server with the OpenAI protocol.',
      );
    }
    return this.checked(answer);
  }

  /** `answer`, unless it holds an error object. */
  checked(answer: unknown): unknown {
    const error = serverError(answer);
    if (error) throw endpointFailure(this.origin, 0, error);
    return answer;
  }

  /** A connection that broke off, as an error. */
  broken(cause: unknown): SkeinError {
    return new SkeinError(
      'unreachable',
      `${this.origin} broke off in the middle of its answer.`,
      "Look at the server's own output, then ask again.",
      { cause },
    );
  }

  private async send(url: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(url, init);
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw unreachable(this.origin, error);
    }
  }
}

/** `text` as JSON, or undefined. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
