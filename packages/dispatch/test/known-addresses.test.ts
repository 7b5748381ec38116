import type { Outcome } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { storeReceived } from '@notify/db/inbound';
import { acceptMessages } from '@notify/db/messages';
import { inboundAccountOf, inboundText, testDatabase, type TestTenant, textItem } from '@notify/testkit';
import { createMessageSettler } from '../src/settle.ts';
import { dispatchTurn, scripted, scriptedTenant, testDeps, testSecrets } from './scripted.ts';

const noSignal = new AbortController().signal;
const rules = { idempotencyDays: 7, blockExpiredTrials: false };
const [asked, known] = ['+4915112345678', '+4917098765432'];

/** A provider that knows the person of `asked` by another number. */
const provider = () =>
  scripted(({ to }): Outcome => ({
    kind: 'accepted',
    externalId: null,
    ...(to === asked ? { address: { asked, known } } : {}),
  }));

async function whatsappTenant(db: Db): Promise<TestTenant> {
  const tenant = await scriptedTenant(db, testSecrets);
  await db
    .updateTable('channel_accounts')
    .set({ channel: 'whatsapp' })
    .where('id', '=', tenant.accountId)
    .execute();
  return tenant;
}

test('the number that a provider told joins consent, conversation and sends of both numbers', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const tenant = await whatsappTenant(db);
  const account = inboundAccountOf(tenant, 'whatsapp');
  const { ledger, adapter } = provider();
  const deps = testDeps(db, { ledger, adapter });
  const receipts = { applyIn: () => undefined, applyEarly: () => undefined };
  const settle = createMessageSettler({ ...deps, receipts });
  const send = async (to: string) => {
    await acceptMessages(db, [textItem(tenant, { channel: 'whatsapp', to })], rules);
    await dispatchTurn(tenant.accountId, { ...deps, settle }, noSignal);
    const [message] = await db
      .selectFrom('messages')
      .selectAll()
      .where('received_at', 'is', null)
      .orderBy('id', 'desc')
      .execute();
    return `${message!.recipient} ${message!.error_code ?? message!.status}`;
  };
  const write = (from: string, text: string) =>
    storeReceived(db, { inbound: [inboundText(account, { from, body: { text } })], moved: [], consents: [] });
  expect(await send(asked)).toBe(`${asked} sent`);
  await write(known, 'STOP');
  expect(await send(asked)).toBe(`${asked} recipient-opted-out`);
  expect(await send(known)).toBe(`${known} recipient-opted-out`);
  await write(known, 'START');
  expect(await send(asked)).toBe(`${asked} sent`);
  // WhatsApp gets its own number from then on, which answers with nothing new.
  expect(ledger.map(({ to }) => to)).toEqual([asked, known]);
  const conversations = await db.selectFrom('conversations').select('address').execute();
  expect(conversations).toEqual([{ address: known }]);
  const threads = await db.selectFrom('conversation_messages').selectAll().execute();
  expect(threads).toHaveLength(5);
});
