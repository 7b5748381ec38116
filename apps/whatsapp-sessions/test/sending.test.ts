import { jest } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { eventNames } from '@notify/core';
import { makeWebhook, startReceiver } from '@notify/testkit';
import { wireId } from '../src/message-id.ts';
import { openWorld, secrets, until, type World } from './world.ts';

jest.setTimeout(180_000);

let world: World;
const phone = '15550001000';

beforeAll(async () => {
  world = await openWorld();
  await world.start();
}, 180_000);

afterAll(() => world[Symbol.asyncDispose]());

const message = (id: string) =>
  world.db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test('a linked phone sends text, which the recipient decrypts; delivered and read come back, and webhooks are told', async () => {
  await using receiver = await startReceiver();
  const webhooks = await world.start('webhook-worker');
  const account = await world.linked(phone);
  expect(await world.linkOf(account)).toMatchObject({ step: 'connected', phone, shown: null });
  const webhook = { id: randomUUID(), url: receiver.url };
  const place = { tenantId: account.tenantId, table: 'webhooks', row: webhook.id, column: 'secret' };
  const secret = secrets.seal(`whsec_${randomBytes(32).toString('base64')}`, place);
  await makeWebhook(world.db, account.tenantId, { ...webhook, secret });
  const number = '15550002001';
  await world.peer.behave({ number, receipts: { deliveredAfterMs: 0, readAfterMs: 50 } });

  const [id] = await world.send(account, [{ to: `+${number}`, body: { text: 'Good morning ☀' } }]);
  await until(async () => (await message(id!)).read_at !== null);

  expect(await message(id!)).toMatchObject({ status: 'delivered', external_id: wireId(id!), attempts: 1 });
  const { messages } = await world.peer.log();
  expect(messages.filter(({ to }) => to === number)).toMatchObject([
    { id: wireId(id!), kind: 'text', text: 'Good morning ☀', duplicate: false },
  ]);
  const told = () =>
    receiver.received.map(({ body }) => (JSON.parse(String(body)) as { event: string }).event);
  await until(async () => told().length === 4);
  expect(told().toSorted()).toEqual(eventNames.filter((event) => event !== 'message.failed').toSorted());
  await webhooks.stop();
});
