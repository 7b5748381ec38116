import { problem } from './problem.ts';
import { messageWhen, newKey, newTenant, sandboxAccount, type Tenant } from './tenant.ts';
import { phone, unknownId } from './values.ts';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});

const at = '/v1/notify/verifications';
const start = (body: object) => tenant.send('verifications', body);
const check = (id: string, code: unknown) => tenant.send(`verifications/${id}/check`, { code });
async function show(id: string) {
  const { status, body } = await tenant.service.call('get', `${at}/${id}`, { apiKey: tenant.apiKey });
  expect(status).toBe(200);
  return body;
}

test('a code is sent and checked: wrong, right, and never again', async () => {
  const to = phone();
  const started = await start({ to, channel: 'sms' });
  expect(started).toMatchObject({ status: 202, body: { status: 'pending', sandbox: true } });
  const { id } = started.body;
  expect(await show(id)).toMatchObject({ id, to, status: 'pending', attemptsLeft: 5, endedAt: null });
  expect(await check(id, '123456')).toMatchObject({
    status: 200,
    body: { status: 'pending', attemptsLeft: 4 },
  });
  expect(await check(id, '000000')).toMatchObject({
    status: 200,
    body: { status: 'approved', attemptsLeft: 3 },
  });
  expect(await check(id, '000000')).toMatchObject(problem('verification-ended'));
  expect(await show(id)).toMatchObject({ status: 'approved', attemptsLeft: 0, endedAt: expect.any(String) });
});

test('of 40 wrong checks at once exactly five count', async () => {
  const { id } = (await start({ to: phone(), channel: 'sms' })).body;
  const answers = await Promise.all(Array.from({ length: 40 }, () => check(id, '999999')));
  const counted = answers.filter(({ status }) => status === 200);
  expect(counted.map(({ body }) => body.attemptsLeft as number).toSorted((a, b) => b - a)).toEqual([
    4, 3, 2, 1, 0,
  ]);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(35);
  expect(await show(id)).toMatchObject({ status: 'failed', attemptsLeft: 0 });
  expect(await check(id, '000000')).toMatchObject(problem('verification-ended'));
});

test('the message of a verification is masked wherever it shows, and cannot be resent', async () => {
  const account = await sandboxAccount(tenant, 'sms');
  const routes = [{ channel: 'sms', channelAccountId: account.id }];
  // The sandbox refuses it for good.
  const to = phone().replace(/\d{4}$/, '0001');
  const { id } = (await start({ to, routes, brand: 'Acme', codeLength: 8 })).body;
  const { groupId } = await show(id);
  const group = await tenant.service.call('get', `/v1/notify/groups/${groupId}`, { apiKey: tenant.apiKey });
  expect(JSON.stringify(group.body)).toContain('•••••• is your Acme verification code.');
  const list = await tenant.get(`/v1/messages?to=${encodeURIComponent(to)}`);
  const { messageId } = list.body.data[0];
  await messageWhen(tenant, messageId, ({ status }) => status === 'failed');
  const shown = await tenant.get(`/v1/messages/${messageId}`);
  expect(shown.body.body).toEqual({ text: '•••••• is your Acme verification code.' });
  expect(await tenant.post(`/v1/messages/${messageId}/resend`, {})).toMatchObject(problem('not-resendable'));
});

test('the header Idempotency-Key is the field', async () => {
  const body = { to: phone(), channel: 'sms' };
  const key = `sign-up ${phone()}`;
  const first = await start({ ...body, idempotencyKey: key });
  const headers = { 'Idempotency-Key': key };
  const again = await tenant.service.call('post', at, { apiKey: tenant.apiKey, body, headers });
  expect(again).toMatchObject({ status: 202, body: first.body });
  expect(await start({ ...body, to: phone(), idempotencyKey: key })).toMatchObject(
    problem('idempotency-key-reused'),
  );
});

test('a start for the same person within 30 s is the same verification, whatever way it takes', async () => {
  const to = phone();
  const first = await start({ to, channel: 'sms' });
  expect((await start({ to, channel: 'whatsapp' })).body).toEqual(first.body);
  expect((await start({ to: to.slice(1), channel: 'whatsapp' })).body).toEqual(first.body);
});

test('an unknown id, and a malformed one, is not found; a code that is none counts no try', async () => {
  for (const id of [unknownId('ver'), unknownId('ver').slice(4), 'ver_x', 'x'])
    expect(await check(id, '000000')).toMatchObject(problem('not-found'));
  const { id } = (await start({ to: phone(), channel: 'sms' })).body;
  for (const code of ['', '123', 'abcdef', 123_456, null, ['000000']])
    expect(await check(id, code)).toMatchObject(problem('invalid-request'));
  expect(await show(id)).toMatchObject({ attemptsLeft: 5 });
});

test('a key without the scope neither starts nor checks', async () => {
  const apiKey = await newKey(tenant.service, tenant.accessToken, 600, { scopes: ['read'] });
  const body = { to: phone(), channel: 'sms' };
  expect(await tenant.service.call('post', at, { apiKey, body })).toMatchObject(problem('forbidden'));
});

test('limits and figures', async () => {
  const own = await newTenant();
  const limits = '/v1/verification-limits';
  expect((await own.get(limits)).body).toEqual({ startsPerHour: 1_000, prefixes: [] });
  const prefix = '+49';
  expect((await own.put(limits, { prefixes: [{ prefix, startsPerHour: 0 }] })).status).toBe(200);
  const blocked = await own.send('verifications', { to: '+4915112345678', channel: 'sms' });
  expect(blocked).toMatchObject(problem('rate-limited'));
  expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0);
  expect((await own.put(limits, {})).body).toEqual({ startsPerHour: 1_000, prefixes: [] });
  const { id } = (await own.send('verifications', { to: '+4915112345678', channel: 'sms' })).body;
  await own.send(`verifications/${id}/check`, { code: '000000' });
  const { body } = await own.get('/v1/usage/verifications');
  expect(body.prefixes).toEqual([
    { prefix, starts: 1, checked: 1, checks: 1, approved: 1, failed: 0, refused: 1, heldUntil: null },
  ]);
});
