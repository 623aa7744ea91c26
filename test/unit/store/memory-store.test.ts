import { MemoryThreadStore } from '../../../src/store/memory-store.ts';
import { describeThreadStore } from '../../store-contract.ts';

describeThreadStore('MemoryThreadStore', async () => {
  const family = new Set<MemoryThreadStore>();
  return {
    create: async () => new MemoryThreadStore({}, family),
    reopen: async (store) => store,
    close: async () => {},
  };
});
