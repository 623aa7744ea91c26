import { describe, expect, it } from 'vitest';
import { splitOptions } from '../../../src/bench/option-lines.ts';

const options = { A: 'one, first', B: 'two', C: 'three', D: 'four' };
const expected = { query: 'Which is it?', options };

describe('splitOptions', () => {
  it.each([
    ['A. on lines', 'Which is it?\nA. one, first\nB. two\nC. three\nD. four'],
    ['A) on lines', 'Which is it?\n\nA) one, first\nB) two\nC) three\nD) four\n'],
    ['(A) on lines', 'Which is it?\n(A) one, first\n(B) two\n(C) three\n(D) four'],
    ['A: on lines', 'Which is it?\nA: one, first\nB: two\nC: three\nD: four'],
    ['A - on lines', 'Which is it?\nA - one, first\nB - two\nC - three\nD - four'],
    ['[A] on lines', 'Which is it?\n[A] one, first\n[B] two\n[C] three\n[D] four'],
    ['small letters', 'Which is it?\na) one, first\nb) two\nc) three\nd) four'],
    ['a heading', 'Which is it?\nOptions:\n  A. one, first\n  B. two\n  C. three\n  D. four'],
    ['bold bullets', 'Which is it?\n- **A.** one, first\n- **B.** two\n- **C.** three\n- **D.** four'],
    ['"Option A:"', 'Which is it?\nOption A: one, first\nOption B: two\nOption C: three\nOption D: four'],
    ['A. in a row', 'Which is it? A. one, first B. two C. three D. four'],
    ['(A) in a row', 'Which is it? (A) one, first; (B) two; (C) three; (D) four'],
    ['A) in a row', 'Which is it? A) one, first B) two C) three D) four'],
    ['A: in a row', 'Which is it? A: one, first | B: two | C: three | D: four'],
  ])('finds %s', (_, text) => {
    expect(splitOptions(text)).toEqual(expected);
  });

  it('keeps an instruction behind the options with the question', () => {
    const text = 'Which is it?\nA. one, first\nB. two\nC. three\nD. four\n\nAnswer with one letter.';
    expect(splitOptions(text)).toEqual({ query: 'Which is it?\nAnswer with one letter.', options });
  });

  it('keeps options of several lines whole', () => {
    const found = splitOptions('Which?\nA. one\nmore of one\nB. two\nC. three\nD. four\nmore of four');
    expect(found?.options).toMatchObject({ A: 'one\nmore of one', D: 'four\nmore of four' });
  });

  it('is not misled by a letter in the question', () => {
    const found = splitOptions('Vitamin A. Which dose? A. 1 B. 2 C. 3 D. 4');
    expect(found).toEqual({ query: 'Vitamin A. Which dose?', options: { A: '1', B: '2', C: '3', D: '4' } });
  });

  it.each([
    ['no options', 'What do I write on the caps?'],
    ['three options', 'Which?\nA. one\nB. two\nC. three'],
    ['letters out of order', 'Which?\nB. one\nA. two\nD. three\nC. four'],
    ['an empty option', 'Which?\nA. one\nB.\nC. three\nD. four'],
    ['no question', 'A. one\nB. two\nC. three\nD. four'],
  ])('says so when there are %s', (_, text) => {
    expect(splitOptions(text)).toBeUndefined();
  });
});
