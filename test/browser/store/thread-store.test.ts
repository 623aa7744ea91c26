import { describeThreadStore } from '../../store-contract.ts';
import { TestDatabase } from './fixture.ts';

describeThreadStore('IdbThreadStore', async () => {
  const database = new TestDatabase();
  let db = await database.open();
  return {
    create: async () => db.getThreadStore((await db.createThread('Thread')).id),
    reopen: async ({ id }) => {
      db.close();
      db = await database.open();
      return db.getThreadStore(id);
    },
    close: () => database.end(),
  };
});
