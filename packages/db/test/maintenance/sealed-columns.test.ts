import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeTenant, makeWebhook, testDatabase, type TestDatabase } from '@notify/testkit';
import { readSealed, replaceSealed, sealedColumns } from '../../src/maintenance/index.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const columnOf = (named: string) =>
  sealedColumns.find(({ table, column }) => `${table}.${column}` === named)!;
const secrets = columnOf('webhooks.secret');

test('every column that the schema has as sealed is listed', () => {
  const folder = path.resolve(import.meta.dirname, '../../src/schema');
  const files = readdirSync(folder).filter((name) => name.endsWith('tables.ts'));
  const source = files.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('');
  const found = [...source.matchAll(/^ {2}(\w+): \{\n((?: {4}.*\n)+)/gm)].flatMap(
    ([, table = '', columns = '']) =>
      [...columns.matchAll(/^ {4}(\w+): Sealed\b/gm)].map(([, column = '']) => ({ table, column })),
  );
  expect(found).toEqual(sealedColumns.map(({ table, column }) => ({ table, column })));
});

test('values are read in pages by row, those that are null left out', async () => {
  const { tenantId } = await makeTenant(database.db);
  const ids: string[] = [];
  for (const secret of ['a', 'b', 'c']) ids.push(await makeWebhook(database.db, tenantId, { secret }));
  const first = await readSealed(database.db, secrets, null, 2);
  expect(first).toEqual([
    { id: ids[0], tenantId, sealed: 'a' },
    { id: ids[1], tenantId, sealed: 'b' },
  ]);
  expect(await readSealed(database.db, secrets, ids[1]!, 2)).toEqual([{ id: ids[2], tenantId, sealed: 'c' }]);
  expect(await readSealed(database.db, columnOf('webhooks.previous_secret'), null, 2)).toEqual([]);
});

test('what somebody else writes after it was read is not overwritten, also when the writer is not done yet', async () => {
  const { db } = database;
  const { tenantId } = await makeTenant(db);
  const [mine, theirs] = [
    await makeWebhook(db, tenantId, { secret: 'old' }),
    await makeWebhook(db, tenantId, { secret: 'old' }),
  ];
  const values = [mine, theirs].map((id) => ({ id, from: 'old', to: 'resealed' }));
  const writer = await db.startTransaction().execute();
  await writer.updateTable('webhooks').set({ secret: 'rotated' }).where('id', '=', theirs).execute();
  const replacing = replaceSealed(db, secrets, values);
  await writer.commit().execute();
  expect(await replacing).toBe(1);
  const rows = await db
    .selectFrom('webhooks')
    .select(['id', 'secret'])
    .where('id', 'in', [mine, theirs])
    .execute();
  expect(new Map(rows.map(({ id, secret }) => [id, secret]))).toEqual(
    new Map([
      [mine, 'resealed'],
      [theirs, 'rotated'],
    ]),
  );
});
