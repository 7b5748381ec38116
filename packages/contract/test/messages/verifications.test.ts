import { problem } from '../suite/problem.ts';
import { messageWhen, newKey, newTenant, sandboxAccount, type Tenant } from '../suite/tenant.ts';
import { chat, phone, timestamp, unknownId } from '../suite/values.ts';

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

describe('GET /v1/verifications', () => {
  let own: Tenant;
  beforeAll(async () => {
    own = await newTenant();
  });
  const begin = async (to: string, change: object = {}) =>
    (await own.send('verifications', { to, channel: 'sms', ...change })).body.id as string;
  const found = async (query: Record<string, string>): Promise<string[]> => {
    const { body } = await own.get(`/v1/verifications?${new URLSearchParams(query).toString()}`);
    return body.data.map((one: { id: string }) => one.id);
  };

  test('lists newest first, page by page, as each look-up shows it, without a code', async () => {
    const ids: string[] = [];
    for (const _ of [1, 2, 3]) ids.push(await begin(phone()));
    await own.send(`verifications/${ids[1]}/check`, { code: '123456' });
    await own.send(`verifications/${ids[1]}/check`, { code: '000000' });
    const first = await own.get('/v1/verifications?limit=2');
    expect(first).toMatchObject({ status: 200, body: { nextCursor: ids[1], searchedTo: timestamp } });
    const second = await own.get(`/v1/verifications?limit=2&cursor=${first.body.nextCursor}`);
    expect(second.body).toMatchObject({ nextCursor: null, searchedTo: null });
    const listed = [...first.body.data, ...second.body.data];
    expect(listed.map(({ id: one }) => one)).toEqual(ids.toReversed());
    expect(listed[1]).toMatchObject({ status: 'approved', attempts: 2, attemptsLeft: 0 });
    for (const path of [`${at}/${ids[1]}`, `/v1/verifications/${ids[1]}`]) {
      const credential = path.startsWith(at) ? { apiKey: own.apiKey } : { bearer: own.accessToken };
      expect((await own.service.call('get', path, credential)).body).toEqual(listed[1]);
    }
    expect(JSON.stringify(first.body)).not.toContain('000000"');
  });

  test('shows what fits all filters, also by a service token', async () => {
    const [one, other] = [phone(), phone()];
    const first = await begin(one);
    const second = await begin(other, { expiresInSeconds: 60 });
    await own.send(`verifications/${first}/check`, { code: '000000' });
    const { createdAt } = (await own.get(`/v1/verifications/${second}`)).body;
    expect(await found({ to: one })).toEqual([first]);
    // As people write numbers, and as a plus arrives that was not escaped.
    for (const to of [
      one.slice(1),
      `${one.slice(0, 3)} (${one.slice(3, 6)}) ${one.slice(6)}`,
      ` ${one.slice(1)}`,
    ])
      expect(await found({ to })).toEqual([first]);
    expect(await found({ to: one, status: 'approved', from: '2020-01-01T00:00:00Z' })).toEqual([first]);
    expect(await found({ to: one, status: 'pending' })).toEqual([]);
    expect(await found({ status: 'approved', limit: '1' })).toEqual([first]);
    expect(await found({ from: createdAt })).toEqual([second]);
    expect(await found({ to: other, until: createdAt })).toEqual([]);
    const { token } = (await own.post('/tenant/service-tokens', { name: 'x', scopes: ['messages:read'] }))
      .body;
    const listed = await own.service.call('get', `/v1/verifications?to=${one.slice(1)}`, { bearer: token });
    expect(listed.body.data).toMatchObject([{ id: first }]);
  });

  test('finds a chat and a username of Telegram, and pages through those of one recipient', async () => {
    const chatId = chat();
    const byChat = await begin(chatId, { channel: 'telegram' });
    const byName = await begin('@Ada_Lovelace', { channel: 'telegram' });
    expect(await found({ to: chatId })).toEqual([byChat]);
    expect(await found({ to: '@ada_lovelace' })).toEqual([byName]);
    // Verifications from apart accounts of one recipient are side by side.
    const to = phone();
    const made = [await begin(to)];
    for (const channel of ['sms', 'whatsapp']) {
      const { id: account } = await sandboxAccount(own, channel);
      const apiKey = await newKey(own.service, own.accessToken, 600, { channelAccountIds: [account] });
      const body = { to, routes: [{ channel, channelAccountId: account }] };
      made.push((await own.service.call('post', at, { apiKey, body })).body.id);
    }
    const distinct = [...new Set(made)];
    const page = await own.get(`/v1/verifications?limit=1&to=${to.slice(1)}`);
    const rest = await found({ to, cursor: page.body.nextCursor ?? unknownId('ver') });
    expect([page.body.data[0].id, ...rest]).toEqual(distinct.toReversed());
  });

  test.each([
    ['status', 'status=sent'],
    ['to', 'to='],
    ['from', 'from=yesterday'],
    ['until', 'until=2026-02-30T00:00:00Z'],
    ['until', 'from=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z'],
    ['limit', 'limit=0'],
    ['limit', 'limit=101'],
    ['cursor', 'cursor=x'],
    ['cursor', 'cursor=grp_01912d68-783e-7a52-9d3a-6c4f2b1e8a90'],
    ['nonsense', 'nonsense=x'],
  ])('names %s when it is at fault: %s', async (name, query) => {
    const answer = await own.get(`/v1/verifications?${query}`);
    expect(answer).toMatchObject(problem('invalid-request', `query/${name}`));
  });

  test('those of another tenant are neither listed nor found', async () => {
    const theirs = (await start({ to: phone(), channel: 'sms' })).body.id as string;
    expect(await found({ limit: '100' })).not.toContain(theirs);
    for (const one of [theirs, unknownId('ver'), 'ver_x'])
      expect(await own.get(`/v1/verifications/${one}`)).toMatchObject(problem('not-found'));
  });
});
