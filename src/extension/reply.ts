import { type ErrorCode, SkeinError, toSkeinError } from '../core/errors.ts';

/** An answer as it crosses between the extension's parts: errors keep their code and remedy. */
export type Reply<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: ErrorCode; readonly message: string; readonly remedy: string };

/** What `work` resolves or rejects with, as it crosses. Never rejects. */
export async function replyWith<T>(work: () => Promise<T>): Promise<Reply<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    const { code, message, remedy } = toSkeinError(error);
    return { ok: false, code, message, remedy };
  }
}

/** The answer on the side that asked; throws what was thrown on the other. */
export function unwrapReply<T>(reply: Reply<T>): T {
  if (reply.ok) return reply.value;
  throw new SkeinError(reply.code, reply.message, reply.remedy);
}
