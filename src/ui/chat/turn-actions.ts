import { cutText } from '../../core/text.ts';
import type { Turn } from '../../core/turn.ts';
import { unreachable } from '../../core/unreachable.ts';
import { formatCount, turnNumber } from '../format.ts';
import { formatRoute } from '../router.ts';
import type { Session } from '../session.ts';
import { eraseConfirmed } from './episode-actions.ts';
import type { TurnAction } from './turn-view.ts';

/** Carries out what was chosen in a turn's menu. */
export async function runTurnAction(
  action: TurnAction,
  turn: Turn,
  session: Session,
  threadId: string,
): Promise<void> {
  switch (action) {
    case 'copy':
      await session.attempt(async () => {
        await navigator.clipboard.writeText(turn.text);
        session.toast(`Copied turn ${formatCount(turnNumber(turn.index))}.`);
      });
      return;

    case 'link': {
      const link = new URL(formatRoute({ kind: 'thread', threadId, turn: turn.index }), location.href);
      await session.attempt(async () => {
        await navigator.clipboard.writeText(link.href);
        session.toast(`Copied the link to turn ${formatCount(turnNumber(turn.index))}.`);
      });
      return;
    }
    case 'edit': {
      const { editTurn } = await import('../memory/turn-editor.ts');
      return editTurn(session, threadId, turn);
    }
    case 'erase':
      return eraseConfirmed(
        session,
        threadId,
        { start: turn.index, end: turn.index + 1 },
        cutText(turn.text, 280),
      );
    default:
      return unreachable(action);
  }
}
