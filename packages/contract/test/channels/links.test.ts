import { type EventStream, openEventStream } from '@notify/testkit';
import { problem } from '../suite/problem.ts';
import { newTenant, sandboxAccount, type Tenant } from '../suite/tenant.ts';

let tenant: Tenant;
let account: string;
beforeAll(async () => {
  tenant = await newTenant();
});
beforeEach(async () => {
  const made = await tenant.post('/v1/channel-accounts', {
    provider: 'whatsapp-web',
    name: 'our phone',
    settings: { newContactsPerDay: 7, warmUpDays: 0 },
  });
  account = `/v1/channel-accounts/${made.body.id}`;
});
// Nobody scans anything here: what was begun is ended, so that no attempt outlives its test.
afterEach(() => tenant.remove(account));

const open = (by = tenant, of = account): Promise<EventStream> =>
  openEventStream(`${tenant.service.url}${of}/link/events`, by.accessToken);

test('a provider that is linked says so', async () => {
  const { body } = await tenant.get('/v1/providers');
  const linking = body.filter((one: { capabilities: { linking: boolean } }) => one.capabilities.linking);
  expect(linking).toMatchObject([{ id: 'whatsapp-web', channel: 'whatsapp' }]);
});

test('a new account is to be linked, shows its limits, and takes messages that wait', async () => {
  expect((await tenant.get(account)).body).toMatchObject({ channel: 'whatsapp', status: 'action-required' });
  expect(await tenant.get(`${account}/link`)).toMatchObject({
    status: 200,
    body: {
      step: 'idle',
      wanted: null,
      care: {
        minIntervalSeconds: 3,
        maxIntervalSeconds: 6,
        newContactsPerDay: 7,
        newContactsAllowed: 7,
        newContactsUsed: 0,
        restrictedUntil: null,
      },
    },
  });
  const send = { to: '+14155550123', text: 'hi', channelAccountId: account.split('/').at(-1) };
  const sent = await tenant.send('whatsapp/text', send);
  expect(sent).toMatchObject({ status: 202, body: { status: 'queued' } });
  expect((await tenant.message(sent.body.id)).body).toMatchObject({ status: 'queued', attempts: 0 });
});

test('an account without settings sends carefully, and more so at first', async () => {
  const phone = { provider: 'whatsapp-web', name: 'new phone', settings: {} };
  const { id } = (await tenant.post('/v1/channel-accounts', phone)).body;
  const { body } = await tenant.get(`/v1/channel-accounts/${id}/link`);
  await tenant.remove(`/v1/channel-accounts/${id}`);
  expect(body.care).toEqual({
    minIntervalSeconds: 3,
    maxIntervalSeconds: 6,
    newContactsPerDay: 20,
    warmUpDays: 10,
    newContactsAllowed: 2,
    newContactsUsed: 0,
    restrictedUntil: null,
  });
});

test('linking begins with 202 and ends with 204, which a stream tells', async () => {
  await using stream = await open();
  expect([stream.status, stream.headers.get('content-type')]).toEqual([
    200,
    expect.stringMatching(/^text\/event-stream/),
  ]);
  expect(stream.headers.get('cache-control')).toBe('no-store');
  expect(await stream.next()).toMatchObject({ step: 'idle', wanted: null });
  expect(await tenant.post(`${account}/link`, {})).toMatchObject({ status: 202, body: { wanted: 'link' } });
  await stream.next(({ step, wanted }) => wanted === 'link' || step !== 'idle');
  expect(await tenant.post(`${account}/unlink`)).toMatchObject({ status: 204, text: '' });
  await stream.next(({ wanted }) => wanted !== 'link');
  const { body } = await tenant.get(`${account}/link`);
  expect(body.step).not.toBe('display-qr');
});

test.each([
  ['no number', { phone: 'x' }, 'body/phone'],
  ['too short a number', { phone: '+1415' }, 'body/phone'],
  ['an empty number', { phone: '' }, 'body/phone'],
  ['a number that is no text', { phone: 14_155_550_123 }, 'body/phone'],
  ['another field', { number: '+14155550123' }, 'body/number'],
])('linking with %s is 422, and nothing is begun', async (_what, body, at) => {
  const answer = await tenant.post(`${account}/link`, body);
  expect(answer).toMatchObject(problem('invalid-request'));
  expect(answer.body.errors).toMatchObject([{ at }]);
  expect((await tenant.get(`${account}/link`)).body.wanted).toBeNull();
});

test('what needs no linking cannot be linked, and the answer says why', async () => {
  const { id } = await sandboxAccount(tenant, 'whatsapp');
  const path = `/v1/channel-accounts/${id}`;
  for (const answer of [
    await tenant.post(`${path}/link`, {}),
    await tenant.get(`${path}/link`),
    await tenant.get(`${path}/link/events`),
    await tenant.post(`${path}/unlink`),
  ])
    expect([answer.body.code, answer.body.errors]).toEqual([
      'invalid-request',
      [{ at: 'path/id', message: expect.stringMatching(/sandbox/) }],
    ]);
});

test('another tenant’s account is not there, and nothing happens to it', async () => {
  const stranger = await newTenant();
  for (const answer of [
    await stranger.post(`${account}/link`, {}),
    await stranger.get(`${account}/link`),
    await stranger.get(`${account}/link/events`),
    await stranger.post(`${account}/unlink`),
  ])
    expect(answer).toMatchObject(problem('not-found'));
  expect((await tenant.get(`${account}/link`)).body).toMatchObject({ step: 'idle', wanted: null });
});

test('a stream ends when its session does, and when its account does', async () => {
  const other = await newTenant();
  const made = await other.post('/v1/channel-accounts', {
    provider: 'whatsapp-web',
    name: 'theirs',
    settings: {},
  });
  await using theirs = await open(other, `/v1/channel-accounts/${made.body.id}`);
  await using mine = await open();
  await theirs.next();
  await mine.next();
  await other.post('/auth/logout');
  expect(await theirs.ended()).toEqual([]);
  await tenant.remove(account);
  expect(await mine.ended()).toEqual([]);
});
