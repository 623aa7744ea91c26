import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NewTurn } from '../../../src/core/turn.ts';
import { mergeByTime } from '../../../src/import/merge.ts';

const MINUTE = 60_000;

/** Turns written `u5 m6 u`: role and minute, where there is one. */
function chat(title: string, spec: string, createdAt?: number) {
  const turns = spec.split(' ').map((word): NewTurn => {
    const time = word.slice(1);
    const role = word[0] === 'u' ? 'user' : 'model';
    return { role, text: `${title}${word}`, ...(time && { time: Number(time) * MINUTE }) };
  });
  return { title, place: title, turns, ...(createdAt !== undefined && { createdAt: createdAt * MINUTE }) };
}

const merged = (...chats: ReturnType<typeof chat>[]) =>
  mergeByTime(chats)
    .map((turn) => turn.text)
    .join(' ');

describe('several conversations as one thread', () => {
  test('in the order in which they began', () => {
    expect(merged(chat('B', 'u50 m51'), chat('A', 'u10 m11'))).toBe('Au10 Am11 Bu50 Bm51');
  });

  test('one that was taken up again stands at both times', () => {
    expect(merged(chat('A', 'u0 m1 u500 m501'), chat('B', 'u100 m101'))).toBe(
      'Au0 Am1 Bu100 Bm101 Au500 Am501',
    );
  });

  test('held side by side, each stays whole', () => {
    expect(merged(chat('A', 'u0 m3 u6 m7'), chat('B', 'u1 m2 u4'))).toBe('Au0 Am3 Au6 Am7 Bu1 Bm2 Bu4');
  });

  test('with a pause of 0 every question is placed by its own time, and its answer follows it', () => {
    const chats = [chat('A', 'u0 m3 u6 m7'), chat('B', 'u1 m2 u4')];
    expect(
      mergeByTime(chats, 0)
        .map((turn) => turn.text)
        .join(' '),
    ).toBe('Au0 Am3 Bu1 Bm2 Bu4 Au6 Am7');
  });

  test('a late answer stays with its question', () => {
    expect(merged(chat('A', 'u0 m300'), chat('B', 'u100'))).toBe('Au0 Am300 Bu100');
  });

  test('turns without time follow the one before them', () => {
    expect(merged(chat('A', 'u m9 u m u500 m'), chat('B', 'u100'))).toBe('Au Am9 Au Am Bu100 Au500 Am');
  });

  test('a conversation without turn times goes by its own, and without any it comes first', () => {
    expect(merged(chat('A', 'u50'), chat('B', 'u m', 20), chat('C', 'u m'), chat('D', 'u'))).toBe(
      'Cu Cm Du Bu Bm Au50',
    );
  });

  test('equal times keep the order given', () => {
    expect(merged(chat('A', 'u5'), chat('B', 'u5'), chat('C', 'u5'))).toBe('Au5 Bu5 Cu5');
  });

  test('a clock that goes back moves nothing', () => {
    expect(merged(chat('A', 'u100 m90 u80 m81'), chat('B', 'u95'))).toBe('Bu95 Au100 Am90 Au80 Am81');
  });

  test('nothing given, nothing made', () => {
    expect(mergeByTime([])).toEqual([]);
  });

  test('every turn is kept once, in the order of its conversation', () => {
    const turn = fc.record({
      role: fc.constantFrom<'user' | 'model'>('user', 'model'),
      time: fc.option(fc.integer({ min: 0, max: 400 * MINUTE }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(fc.array(turn)), (specs) => {
        const chats = specs.map((spec, c) => ({
          title: `${c}`,
          place: '',
          turns: spec.map(({ role, time }, t) => ({
            role,
            text: `${c}:${t}`,
            ...(time !== undefined && { time }),
          })),
        }));
        const thread = mergeByTime(chats);
        expect(thread.length).toBe(specs.flat().length);
        specs.forEach((spec, c) => {
          const own = thread.filter(({ text }) => text.startsWith(`${c}:`)).map(({ text }) => text);
          expect(own).toEqual(spec.map((_, t) => `${c}:${t}`));
        });
      }),
    );
  });
});
