import { createHmac } from 'node:crypto';
import request from 'supertest';
import { type Caller, messagingApp, type MessagingApp } from './messaging-app.ts';

/* Meta reports on all numbers of an app at one address; whose a report is shows in the number's id. */

let service: MessagingApp;
beforeAll(async () => {
  service = await messagingApp();
});
afterAll(() => service[Symbol.asyncDispose]());

const appSecret = 'shared-app-secret';

async function connect(caller: Caller, phoneNumberId: string, secret = appSecret) {
  const settings = { phoneNumberId, accessToken: 'token', appSecret: secret };
  const account = { provider: 'whatsapp-cloud', name: phoneNumberId, settings };
  const { body } = await caller.manage('post', '/v1/channel-accounts', account).expect(201);
  return { id: body.id as string, path: new URL(body.callbackUrl).pathname };
}

/** A callback with one status of each message, as Meta groups them by number. */
function callback(path: string, ...reports: readonly (readonly [phoneNumberId: string, wamid: string])[]) {
  const changes = reports.map(([id, wamid]) => ({
    field: 'messages',
    value: {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: '49', phone_number_id: id },
      statuses: [{ id: wamid, status: 'delivered', timestamp: '1', recipient_id: '49' }],
    },
  }));
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '1', changes }] });
  const signature = createHmac('sha256', appSecret).update(body).digest('hex');
  return request(service.app)
    .post(path)
    .set('Content-Type', 'application/json')
    .set('X-Hub-Signature-256', `sha256=${signature}`)
    .send(body)
    .expect(200);
}

/** What the callbacks of `run` were taken for: account and the provider's id of the message. */
async function taken(run: () => Promise<unknown>) {
  const before = service.received.length;
  await run();
  return service.received
    .slice(before)
    .flatMap(({ accountId, receipts }) => receipts.map(({ externalId }) => [accountId, externalId]));
}

test('each number of one app gets its own reports, whichever account has the address', async () => {
  const tenant = await service.tenant();
  const first = await connect(tenant, '10001');
  const second = await connect(tenant, '10002');
  const both = [
    ['10002', 'b'],
    ['10001', 'a'],
  ] as const;
  const expected = [
    [first.id, 'a'],
    [second.id, 'b'],
  ];
  for (const { path } of [first, second]) {
    const found = await taken(() => callback(path, ...both));
    expect(found).toHaveLength(2);
    expect(found).toEqual(expect.arrayContaining(expected));
  }
});

test('a message of the other account moves, and no message of the addressed one', async () => {
  const tenant = await service.tenant();
  const [first, second] = [await connect(tenant, '10001'), await connect(tenant, '10002')];
  const send = async (channelAccountId: string) =>
    (await tenant.notify('post', '/whatsapp/text', { to: '+4915112345678', text: 'x', channelAccountId }))
      .body.id;
  const [ofFirst, ofSecond] = [await send(first.id), await send(second.id)];
  for (const [id, wamid] of [
    [ofFirst, 'wamid.1'],
    [ofSecond, 'wamid.2'],
  ]) {
    await service.db
      .updateTable('messages')
      .set({ status: 'sent', external_id: wamid })
      .where('id', '=', id.slice(4))
      .execute();
  }
  const statusOf = async (id: string) => (await tenant.notify('get', `/messages/${id}`)).body.status;
  await callback(first.path, ['10002', 'wamid.1'], ['10002', 'wamid.2']);
  while ((await statusOf(ofSecond)) !== 'delivered');
  expect(await statusOf(ofFirst)).toBe('sent');
});

test("another tenant's account with the same number and the same secret is never touched", async () => {
  const [mine, theirs] = [await service.tenant(), await service.tenant()];
  const { path } = await connect(mine, '10001');
  await connect(theirs, '10002');
  expect(await taken(() => callback(path, ['10002', 'x']))).toEqual([]);
});

test('an account of the same tenant with another app secret is never touched, nor a removed one', async () => {
  const tenant = await service.tenant();
  const { path } = await connect(tenant, '10001');
  await connect(tenant, '10002', 'another-app-secret');
  const removed = await connect(tenant, '10003');
  await tenant.manage('delete', `/v1/channel-accounts/${removed.id}`).expect(204);
  expect(await taken(() => callback(path, ['10002', 'x'], ['10003', 'y'], ['10004', 'z']))).toEqual([]);
});
