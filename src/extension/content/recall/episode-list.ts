import type { OfferedEpisode } from '../../messages.ts';
import { tellingTurns } from '../../telling.ts';
import { make } from '../dom.ts';

/** Letters of an episode that stand beside its tick box. */
const GLIMPSE = 90;

/** The offered episodes, each with a tick box and its turns to unfold. Their texts are text nodes, whatever they hold. */
export function episodeList(
  episodes: readonly OfferedEpisode[],
  onTick: (ticked: readonly OfferedEpisode[]) => void,
): HTMLUListElement {
  const boxes = episodes.map((_, at) => make('input', { type: 'checkbox', id: `episode-${at}` }));
  const ticked = () => episodes.filter((_, at) => boxes[at]!.checked);
  for (const box of boxes) box.addEventListener('change', () => onTick(ticked()));
  return make('ul', {}, ...episodes.map((episode, at) => item(episode, boxes[at]!)));
}

function item(episode: OfferedEpisode, box: HTMLInputElement): HTMLLIElement {
  const { turns, at } = episode;
  const glimpse = tellingTurns(episode)[0]?.text ?? '';
  const label = make('label', { htmlFor: box.id, dir: 'auto', textContent: cut(glimpse) });
  const when = at === undefined ? '' : `${new Date(at).toLocaleDateString()}, `;
  const summary = `${when}${turns.length === 1 ? '1 turn' : `${turns.length} turns`}`;
  const said = turns.map(({ role, text }) =>
    make(
      'p',
      { dir: 'auto' },
      make('b', { textContent: role === 'user' ? 'User: ' : 'Assistant: ' }),
      document.createTextNode(text),
    ),
  );
  return make(
    'li',
    {},
    make('div', { className: 'choice' }, box, label),
    make('details', {}, make('summary', { textContent: summary }), ...said),
  );
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const letters = [...line];
  return letters.length > GLIMPSE ? `${letters.slice(0, GLIMPSE - 1).join('')}…` : line;
}
