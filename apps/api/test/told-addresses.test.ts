import { createHmac } from 'node:crypto';
import request from 'supertest';
import { readConsent } from '@notify/db/consents';
import { type Caller, messagingApp, type MessagingApp } from './messaging-app.ts';

/* Meta names the number of a person and its own id of them together, until the person hides the number. */

const appSecret = 'an-app-secret';
const [number, userId] = ['+4915112345678', 'DE.13491208655302741918'];
let service: MessagingApp;
let caller: Caller;
let account: { readonly id: string; readonly path: string };
beforeEach(async () => {
  service = await messagingApp();
  caller = await service.tenant();
  const settings = { phoneNumberId: '10001', accessToken: 'token', appSecret };
  const asked = { provider: 'whatsapp-cloud', name: 'Shop', settings };
  const { body } = await caller.manage('post', '/v1/channel-accounts', asked).expect(201);
  account = { id: body.id, path: new URL(body.callbackUrl).pathname };
});
afterEach(() => service[Symbol.asyncDispose]());

/** Posts a value of the field `messages` as Meta does. */
async function post(value: object): Promise<void> {
  const changes = [
    {
      field: 'messages',
      value: { messaging_product: 'whatsapp', metadata: { phone_number_id: '10001' }, ...value },
    },
  ];
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '1', changes }] });
  await request(service.app)
    .post(account.path)
    .set('Content-Type', 'application/json')
    .set('X-Hub-Signature-256', `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`)
    .send(body)
    .expect(200);
}

const write = (id: string, from: object, text: string) =>
  post({ messages: [{ id, timestamp: '1790000000', ...from, type: 'text', text: { body: text } }] });

const statusOf = async (recipient: string) => {
  const { id } = account;
  const subject = { id, tenantId: caller.tenantId, channel: 'whatsapp' } as const;
  return (await readConsent(service.db, subject, recipient, 1)).current?.status;
};

const pairs = () =>
  service.db.selectFrom('moved_contacts').select(['contact', 'address', 'told', 'moved_at']).execute();

test('a STOP of a person who has hidden the number since counts for the number', async () => {
  await write('a', { from: number.slice(1), from_user_id: userId }, 'hi');
  const first = await pairs();
  expect(first).toMatchObject([{ contact: userId, address: number, told: true }]);
  await write('b', { from: number.slice(1), from_user_id: userId }, 'hi again');
  expect(await pairs()).toEqual(first);
  await write('c', { from_user_id: userId }, 'STOP');
  expect(await statusOf(number)).toBe('opted-out');
  const people = await service.db.selectFrom('conversations').select('address').execute();
  expect(people).toEqual([{ address: number }]);
});

test('a receipt tells the number by which Meta knows a recipient, if the answer to the send was lost', async () => {
  const known = '+4917098765432';
  await write('a', { from: known.slice(1) }, 'STOP');
  const send = async () => {
    const message = { to: number, text: 'hi', channelAccountId: account.id };
    const { body } = await caller.notify('post', '/whatsapp/text', message).expect(202);
    return (body.id as string).slice(4);
  };
  const status = (messageId: string, recipient: string) => ({
    id: `wamid.${messageId}`,
    status: 'sent',
    recipient_id: recipient.slice(1),
    biz_opaque_callback_data: `${messageId}.1`,
  });
  const id = await send();
  await post({ statuses: [status(id, number)] });
  expect(await pairs()).toEqual([]);
  await post({ statuses: [status(id, known)] });
  expect(await pairs()).toMatchObject([{ contact: number.slice(1), address: known, told: true }]);
  expect(await statusOf(number)).toBe('opted-out');
  // A message from before the recipient changed number.
  await service.db.updateTable('moved_contacts').set({ address: '+4916011112222', told: false }).execute();
  const late = await send();
  await post({ statuses: [status(late, '+4917000000000')] });
  expect(await pairs()).toMatchObject([{ address: '+4916011112222', told: false }]);
});
