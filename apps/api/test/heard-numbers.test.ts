import { storeReceived } from '@notify/db/inbound';
import { inboundAccountOf, inboundText } from '@notify/testkit';
import { type Caller, messagingApp, type MessagingApp } from './messaging-app.ts';

/** Numbers of no numbering plan of today, from which people write nevertheless. */
const numbers = ['+22507123456', '+8881234567', '+97312345', '+8501234'];
let api: MessagingApp;
let own: Caller;
beforeEach(async () => {
  api = await messagingApp();
  own = await api.tenant();
});
afterEach(() => api[Symbol.asyncDispose]());

async function write(from: string): Promise<string> {
  const { id } = await api.db
    .selectFrom('channel_accounts')
    .select('id')
    .where('tenant_id', '=', own.tenantId)
    .where('channel', '=', 'sms')
    .executeTakeFirstOrThrow();
  const account = inboundAccountOf({ tenantId: own.tenantId, accountId: id } as never);
  const inbound = [inboundText(account, { from })];
  const { results } = await storeReceived(api.db, { inbound, moved: [], consents: [] });
  return (results[0] as { readonly messageId: string }).messageId;
}

test.each(numbers)('a person who wrote from %s can be answered, in every kind of send', async (to) => {
  const refused = await own.notify('post', '/sms/text', { to, text: 'hi' }).expect(422);
  expect(refused.body.errors).toMatchObject([{ at: 'body/to' }]);
  const group = { routes: [{ channel: 'sms', to, text: 'hi' }] };
  await own.notify('post', '/send', group).expect(422);
  const replyTo = `msg_${await write(to)}`;
  for (const more of [{}, { replyTo }]) {
    const { body } = await own.notify('post', '/sms/text', { to, text: 'hi', ...more }).expect(202);
    expect(body.to).toBe(to);
  }
  const { body } = await own.notify('post', '/sms/bulk', { messages: [{ to, text: 'hi' }] }).expect(202);
  expect(body).toMatchObject([{ to, status: 'queued' }]);
  await own.notify('post', '/send', group).expect(202);
});

test('only accounts of the same tenant and channel count, and no other text becomes a number', async () => {
  const [to] = numbers;
  await write(to!);
  await write('12345');
  await own.notify('post', '/whatsapp/text', { to, text: 'hi' }).expect(422);
  await own.notify('post', '/sms/text', { to: '12345', text: 'hi' }).expect(422);
  const other = await api.tenant();
  await other.notify('post', '/sms/text', { to, text: 'hi' }).expect(422);
});
