import type { Db } from '@notify/db/connection';
import { type NewReceipt, storeConcealed, takeReceipts } from '@notify/db/receipts';
import { makeTenant, type TestDatabase, testDatabase, type TestTenant } from '@notify/testkit';
import { sql } from 'kysely';
import { send } from '../dispatching.ts';
import { rightCode, started } from '../verifications/verifying.ts';

let database: TestDatabase;
let db: Db;
let tenant: TestTenant;
beforeEach(async () => {
  database = await testDatabase();
  db = database.db;
  tenant = await makeTenant(db);
});
afterEach(() => database[Symbol.asyncDispose]());

const hex = Buffer.from(`${rightCode} is`, 'utf16le').swap16().toString('hex');
const wide = rightCode.replaceAll(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));
const text = `id:12 err:000 text:${rightCode} is ${wide} ${hex} 2 7 1 8 2 8 ${btoa(rightCode)}`;
const kept = 'id:•••••• err:•••••• text:•••••• is ••••••';

function receipt(named: Partial<NewReceipt>): NewReceipt {
  const status = 'delivered';
  return {
    accountId: tenant.accountId,
    messageId: null,
    externalId: null,
    part: null,
    status,
    text,
    ...named,
  };
}

async function stored(): Promise<unknown[]> {
  const { rows } = await sql`
    select external_id, text from receipts
    union all
    select external_id, r->>'text' from messages, jsonb_array_elements(reports) r where reports is not null`.execute(
    db,
  );
  return rows;
}

async function codeMessage(): Promise<string> {
  const id = await started(db, tenant);
  const { rows } = await sql<{ id: string }>`
    select m.id from messages m join verifications v on v.group_id = m.group_id where v.id = ${id}`.execute(
    db,
  );
  return rows[0]!.id;
}

test('a receipt that quotes a message with a code keeps its plain words', async () => {
  await takeReceipts(db, [receipt({ messageId: await codeMessage(), externalId: `a ${rightCode}` })]);
  expect(await stored()).toEqual([{ external_id: null, text: kept }]);
});

test('so does one whose message is not known yet, in a tenant that sends codes', async () => {
  await started(db, tenant);
  await takeReceipts(db, [receipt({ externalId: 'gw-77' })]);
  expect(await stored()).toEqual([{ external_id: 'gw-77', text: kept }]);
});

test('so does one that cannot be applied and is only stored', async () => {
  await storeConcealed(db, [receipt({ messageId: await codeMessage() })]);
  expect(await stored()).toEqual([{ external_id: null, text: kept }]);
});

test('a receipt of any other message keeps its whole text', async () => {
  await started(db, tenant);
  const [messageId] = await send(db, tenant);
  await takeReceipts(db, [receipt({ messageId: messageId!, externalId: 'a 77' })]);
  expect(await stored()).toEqual([{ external_id: 'a 77', text }]);
});
