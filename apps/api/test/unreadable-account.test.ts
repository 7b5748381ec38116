import { messagingApp, type MessagingApp } from './messaging-app.ts';

const path = '/v1/channel-accounts';
const gateway = { provider: 'test-sms', name: 'Gateway', settings: { token: 'good', sender: 'Acme' } };
let service: MessagingApp;
beforeAll(async () => {
  service = await messagingApp();
});
afterAll(() => service[Symbol.asyncDispose]());

test('an account whose settings cannot be opened says so, hides no other, and works once they are entered again', async () => {
  const own = await service.tenant();
  const { body: made } = await own.manage('post', path, gateway).expect(201);
  await service.db
    .updateTable('channel_accounts')
    .set({ settings: 'v9.bm90aGluZyB0aGF0IGNvdWxkIGJlIG9wZW5lZA' })
    .where('id', '=', made.id)
    .execute();
  const broken = {
    id: made.id,
    status: 'action-required',
    statusDetail: 'The settings cannot be decrypted. Enter them again.',
    settings: {},
    callbackUrl: null,
  };
  const { body: listed } = await own.manage('get', path).expect(200);
  expect(listed).toHaveLength(4);
  expect(listed.at(-1)).toMatchObject(broken);
  expect((await own.manage('get', `${path}/${made.id}`).expect(200)).body).toMatchObject(broken);
  const verified = await own.manage('post', `${path}/${made.id}/verify`).expect(200);
  expect(verified.body).toEqual({ ok: false, detail: broken.statusDetail, refused: false });
  const change = (settings: object) => own.manage('patch', `${path}/${made.id}`, { settings });
  const { body: partly } = await change({ sender: 'Acme' }).expect(422);
  expect(partly.errors).toEqual([{ at: 'body/settings/token', message: 'is required' }]);
  const { body: mended } = await change({ token: 'good' }).expect(200);
  expect(mended).toMatchObject({ status: 'connected', statusDetail: null, callbackUrl: expect.any(String) });
  expect(mended.callbackUrl).not.toBe(made.callbackUrl);
});
