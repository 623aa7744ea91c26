import type { PackageRequest } from '../../../src/bench/lab/contract.ts';

/** A pool of four conversations with a question each, as a person might drop it. */
const RECORDS = [
  ['gate', 'The gate code is 4417 until June.', 'What opens the gate in May?', 'Legal'],
  ['choir', 'Choir meets on Thursdays in the small hall.', 'On which day does the choir meet?', 'Daily-Life'],
  ['beans', 'The beans stand on the north side of bed 17.', 'Where do the beans stand?', 'Daily-Life'],
  [
    'pump',
    'Orders for the pump above 150 euro need the okay of Wren.',
    'Who okays a pump for 180 euro?',
    'Legal',
  ],
].map(([id, evidence, query, topic]) => ({
  id,
  topic,
  dialogue: [
    ['user', `${evidence} Please keep it.`],
    ['model', `Noted: ${id}.`],
  ],
  query,
  options: { A: 'one', B: 'two', C: 'three', D: 'four' },
  answer: 'B',
  expected_doc: [evidence],
}));

export const POOL_LINES = RECORDS.map((record) => JSON.stringify(record));

export function poolRequest(lines: readonly string[] = POOL_LINES): PackageRequest {
  const file = new File([lines.join('\n')], 'small.jsonl');
  return {
    source: { kind: 'files', name: 'small.jsonl', files: [{ path: 'small.jsonl', file }] },
    bundledNoise: [],
    noiseFiles: [],
  };
}
