import { readGuide, type TestDatabase, testDatabase } from '@notify/testkit';
import { CompiledQuery } from 'kysely';

const guide = readGuide('webhooks');

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
  for (const statement of guide.take('tables.sql').split(';\n')) await run(statement);
});
afterEach(() => database[Symbol.asyncDispose]());

const run = (sql: string, parameters: unknown[] = []) =>
  database.db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(sql, parameters));

const apply = (id: string, status: string, sequence: number) =>
  run(guide.take('apply.sql'), [id, 'msg_1', status, sequence]);

const message = async () => (await run('select * from notify_messages')).rows;

test('events out of order leave the status of the newest', async () => {
  await apply('evt_1', 'queued', 1);
  await apply('evt_3', 'delivered', 3);
  await apply('evt_2', 'sent', 2);
  expect(await message()).toEqual([{ id: 'msg_1', status: 'delivered', sequence: 3 }]);
});

test('an event that comes twice changes nothing the second time', async () => {
  await apply('evt_1', 'queued', 1);
  await run(`update notify_messages set status = 'seen', sequence = 0`);
  await apply('evt_1', 'queued', 1);
  expect(await message()).toEqual([{ id: 'msg_1', status: 'seen', sequence: 0 }]);
});
