import { type ChatPiece, readChatPiece } from './chat-response.ts';
import { type EndpointApi, parse } from './endpoint-api.ts';
import { readServerSentEvents } from './server-sent-events.ts';

/**
 * The pieces of a chat answer: of a stream as they come, or one of a whole answer, which is what a server sends that
 * can't stream. Throws what the server says went wrong, and `unreachable` when the connection breaks off.
 */
export async function* readAnswer(api: EndpointApi, response: Response): AsyncGenerator<ChatPiece> {
  const kind = response.headers.get('content-type') ?? '';
  if (!kind.includes('event-stream') || !response.body) {
    yield readChatPiece(await api.json(response));
    return;
  }
  let ended = false;
  for await (const data of unbroken(api, readServerSentEvents(response.body))) {
    if (data.trim() === '[DONE]') return;
    const answer = parse(data);
    if (answer === undefined) continue;
    const piece = readChatPiece(api.checked(answer));
    ended ||= piece.finish !== undefined;
    yield piece;
  }
  if (!ended) throw api.broken(undefined);
}

async function* unbroken(api: EndpointApi, events: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    yield* events;
  } catch (error) {
    if (error instanceof Error && error.name === 'TypeError') throw api.broken(error);
    throw error;
  }
}
