import request, { type Test } from 'supertest';
import { type LinkedAccount, makeLinkable } from './link-rows.ts';
import { type RecordingWaker, register, type Registered, testApi, type TestApi } from './test-api.ts';

let api: TestApi;
let tenant: Registered;
let account: LinkedAccount;
beforeAll(async () => {
  api = await testApi();
});
beforeEach(async () => {
  tenant = await register(api.app);
  account = await makeLinkable(api, tenant);
  woken().length = 0;
});
afterAll(() => api[Symbol.asyncDispose]());

const woken = () => (api.parts.waker as RecordingWaker).woken as { kind: string; id: string }[];
const inAMinute = () => new Date(Date.now() + 60_000);
const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);

function call(method: 'get' | 'post', path: string, body?: object): Test {
  const test = request(api.app)[method](path).set('Authorization', tenant.bearer);
  return body === undefined ? test : test.send(body);
}

const link = (body: object = {}) => call('post', `${account.path}/link`, body);
const look = async () => (await call('get', `${account.path}/link`).expect(200)).body;

test('linking is asked for by a row and a wake', async () => {
  await link().expect(202);
  expect(await account.row()).toMatchObject({ wanted: 'link', wanted_phone: null });
  expect(woken()).toEqual([{ kind: 'dispatch', id: account.id }]);
});

test.each(['+14155550123', '14155550123'])('linking by a code for %s', async (phone) => {
  await link({ phone }).expect(202);
  expect(await account.row()).toMatchObject({ wanted: 'link', wanted_phone: '14155550123' });
});

test('the QR is shown while it lasts, to nobody who keeps answers', async () => {
  const until = inAMinute();
  await account.show('display-qr', '2@abc', until);
  const { headers, body } = await call('get', `${account.path}/link`).expect(200);
  expect(body).toMatchObject({ step: 'display-qr', qr: '2@abc', expiresAt: until.toISOString() });
  expect(headers['cache-control']).toBe('no-store');
  await account.show('display-qr', '2@abc', new Date(Date.now() - 1));
  expect(JSON.stringify(await look())).not.toContain('2@abc');
  expect(await look()).toMatchObject({ step: 'idle' });
});

test('a pairing code is shown as a code', async () => {
  const until = inAMinute();
  await account.show('display-code', 'ABCD1234', until);
  expect(await look()).toMatchObject({
    step: 'display-code',
    code: 'ABCD1234',
    expiresAt: until.toISOString(),
  });
});

test('a linked account tells its number, a failed one why', async () => {
  await account.change({ step: 'connected', phone: '14155550123', linked_at: new Date() });
  expect(await look()).toMatchObject({ step: 'connected', phone: '+14155550123' });
  await account.change({ step: 'failed', reason: 'Nobody scanned it.' });
  expect(await look()).toMatchObject({ step: 'failed', reason: 'Nobody scanned it.' });
});

test('an account that is linked is not linked again', async () => {
  await account.change({ step: 'connected', phone: '14155550123', linked_at: new Date() });
  const { body } = await link().expect(202);
  expect(body).toMatchObject({ step: 'connected', wanted: null });
  expect(await account.row()).toMatchObject({ wanted: null });
  expect(woken()).toEqual([]);
});

test('a wish to link while unlinking is under way is kept for after it, and a later wish to unlink ends it', async () => {
  await account.change({ step: 'connected', phone: '14155550123', linked_at: new Date() });
  await call('post', `${account.path}/unlink`).expect(204);
  woken().length = 0;
  for (const phone of ['+14155550124', '+14155550125']) {
    const { body } = await link({ phone }).expect(202);
    expect(body).toMatchObject({ step: 'idle', wanted: 'link' });
  }
  expect(await account.row()).toMatchObject({ wanted: 'relink', wanted_phone: '14155550125', requests: '2' });
  expect(woken()).toHaveLength(2);
  await call('post', `${account.path}/unlink`).expect(204);
  expect(await account.row()).toMatchObject({ wanted: 'unlink', wanted_phone: null });
});

test('unlinking is asked for by a row and a wake, and takes what is shown away at once', async () => {
  await account.show('display-qr', '2@abc', inAMinute());
  await call('post', `${account.path}/unlink`).expect(204);
  expect(await account.row()).toMatchObject({ wanted: 'unlink', shown: null });
  expect(woken()).toEqual([{ kind: 'dispatch', id: account.id }]);
  expect(await look()).toMatchObject({ step: 'idle', wanted: 'unlink' });
});

test('the limits of an account and how far they are used up can be seen', async () => {
  const settings = { minIntervalSeconds: 1.5, maxIntervalSeconds: 2, newContactsPerDay: 30, warmUpDays: 3 };
  account = await makeLinkable(api, tenant, settings);
  const restrictedUntil = inAMinute();
  await account.change({ linked_at: ago(25), restricted_until: restrictedUntil });
  await api.database.db
    .insertInto('whatsapp_contacts')
    .values(
      [1, 2, 26].map((hours) => ({
        account_id: account.id,
        recipient: `1415555${1_000 + hours}`,
        first_sent_at: ago(hours),
      })),
    )
    .execute();
  expect((await look()).care).toEqual({
    ...settings,
    newContactsAllowed: 20,
    newContactsUsed: 2,
    restrictedUntil: restrictedUntil.toISOString(),
  });
});

test('verify tells what the account’s connection is like', async () => {
  const verify = async () => (await call('post', `${account.path}/verify`).expect(200)).body;
  expect(await verify()).toEqual({
    ok: false,
    detail: expect.stringMatching(/scan its QR code/),
    refused: false,
  });
  await setStatus('connected', null);
  expect(await verify()).toEqual({ ok: true, detail: 'Connected.', refused: false });
});

async function setStatus(status: 'connected' | 'disconnected', detail: string | null): Promise<void> {
  await api.database.db
    .updateTable('channel_accounts')
    .set({ status, status_detail: detail })
    .where('id', '=', account.id)
    .execute();
}

test('a restriction by WhatsApp is the detail of an account that is connected, until it ends', async () => {
  const detail = async () => (await call('get', account.path).expect(200)).body.statusDetail as string | null;
  await setStatus('connected', null);
  const until = inAMinute();
  await account.change({ restricted_until: until });
  expect(await detail()).toContain(`blocks first messages to new contacts until ${until.toISOString()}`);
  expect((await call('post', `${account.path}/verify`).expect(200)).body).toMatchObject({ ok: true });
  await setStatus('disconnected', 'WhatsApp has banned this number.');
  expect(await detail()).toBe('WhatsApp has banned this number.');
  await setStatus('connected', null);
  await account.change({ restricted_until: ago(1) });
  expect(await detail()).toBeNull();
  expect((await look()).care).toMatchObject({ restrictedUntil: null });
});
