import { expect, test } from 'vitest';
test('indexeddb is there', () => expect(typeof indexedDB).toBe('object'));
