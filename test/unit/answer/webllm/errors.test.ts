import { describe, expect, test } from 'vitest';
import { chooseByProbability } from '../../../../src/answer/letters.ts';
import { fromWebLlm } from '../../../../src/answer/webllm/errors.ts';
import { FirstTokenReader, letterTokens } from '../../../../src/answer/webllm/first-token.ts';
import { abortedError } from '../../../../src/core/errors.ts';

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

describe('what web-llm rejects with', () => {
  test.each([
    [named('ShaderF16SupportError', 'This model requires WebGPU extension shader-f16'), 'no-shader-f16'],
    [named('GPUPipelineError', 'f16 type used without f16 extension enabled. enable f16;'), 'no-shader-f16'],
    [named('WebGPUNotAvailableError', 'WebGPU is not supported in your current environment'), 'no-webgpu'],
    [new Error('Unable to find a compatible GPU.'), 'no-webgpu'],
    [named('FeatureSupportError', 'This model requires feature timestamp-query'), 'no-webgpu'],
    [named('ContextWindowSizeExceededError', 'Prompt tokens exceed context window size'), 'prompt-too-long'],
    [new RangeError('Array buffer allocation failed'), 'out-of-memory'],
    [named('DeviceLostError', 'The WebGPU device was lost while loading the model.'), 'device-lost'],
    [named('ModelNotLoadedError', 'Model not loaded before trying to complete'), 'model-missing'],
    ['CompileError: WebAssembly.instantiate(): expected magic word', 'model-broken'],
    [{ message: 'RuntimeError: Aborted()' }, 'model-broken'],
    [undefined, 'model-broken'],
  ])('%s becomes %s', (thrown, code) => {
    const error = fromWebLlm(thrown, 'Tiny', 'model-broken');
    expect(error).toMatchObject({ code, message: expect.stringContaining('Tiny') });
    expect(error.remedy).not.toBe('');
  });

  test('stays what it is where it is ours, and speaks against no file once the model runs', () => {
    const ours = abortedError();
    expect(fromWebLlm(ours, 'Tiny', 'model-broken')).toBe(ours);
    expect(fromWebLlm(new Error('what?'), 'Tiny', 'internal')).toMatchObject({ code: 'internal' });
  });
});

describe('the first token of an answer', () => {
  const encode = (text: string) =>
    ({ A: [1], ' A': [2], B: [3], ' B': [9, 3], C: [4], ' C': [4] })[text] ?? [7, 8];
  const read = (logits: readonly number[], letters: readonly string[]) => {
    const reader = new FirstTokenReader(letterTokens(encode, letters)!);
    const given = Float32Array.from(logits);
    expect(reader.processLogits(given)).toBe(given);
    reader.processLogits(new Float32Array(10).fill(5));
    return chooseByProbability(reader.scores, letters);
  };

  test('gives each letter the probability of its tokens, among all letters', () => {
    const third = Math.log(1 / 3);
    const choice = read([9, third, third, Math.log(1 / 6), Math.log(1 / 6), 9, 9, 9, 9, 9], ['A', 'B', 'C']);
    expect(choice).toMatchObject({ letter: 'A', how: 'probabilities' });
    expect(choice!.probabilities!.A).toBeCloseTo(2 / 3, 6);
    expect(choice!.probabilities!.B).toBeCloseTo(1 / 6, 6);
  });

  test('counts a letter far behind, and scores far from zero', () => {
    const choice = read([0, -900, -999, -890, -880, 0, 0, 0, 0, 0], ['A', 'B', 'C']);
    expect(choice!.letter).toBe('C');
    expect(choice!.probabilities!.B).toBeCloseTo(Math.exp(-10) / (1 + Math.exp(-10) + Math.exp(-20)), 9);
  });

  test('tells nothing where a letter has no token, or the scores are none', () => {
    expect(letterTokens(encode, ['A', 'Z'])).toBeUndefined();
    expect(read(new Array(10).fill(Number.NaN), ['A', 'B'])).toBeUndefined();
  });
});
