import { withEnoughTime } from '@notify/testkit';
import type { Response } from 'supertest';
import { problem } from '../suite/problem.ts';
import { serviceUnderTest } from '../suite/service.ts';
import { messageWhen, newKey, newTenant, sandboxAccount, type Tenant } from '../suite/tenant.ts';
import { until } from '../suite/until.ts';
import { id, phone, someText, timestamp, unknownId } from '../suite/values.ts';

const service = serviceUnderTest();
const text = (change: object = {}) => ({ to: phone(), text: 'hi', ...change });
const sendWith = (apiKey: string, change: object = {}) =>
  service.call('post', '/v1/notify/sms/text', { apiKey, body: text(change) });
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});
const create = (narrowing: object) => tenant.post('/tenant/api-keys', { name: 'narrowed', ...narrowing });
const rotate = (keyId: string, body: object = {}) => tenant.post(`/tenant/api-keys/${keyId}/rotate`, body);
const listed = async (keyId: string): Promise<Response['body']> =>
  (await tenant.get('/tenant/api-keys')).body.find((key: { id: string }) => key.id === keyId);

/** Sends with the key, many at once, until every sender was refused. Adds the messages that were accepted to `accepted`. */
async function sendUntilRefused(
  key: string,
  accepted: Response['body'][] = [],
): Promise<{ accepted: Response['body'][]; refusals: Response[] }> {
  const refusals = await Promise.all(
    Array.from({ length: 12 }, async () => {
      for (;;) {
        const answer = await sendWith(key);
        if (answer.status !== 202) return answer;
        accepted.push(answer.body);
      }
    }),
  );
  return { accepted, refusals };
}

describe('a narrowed key', () => {
  test('shows how it is narrowed, when it is made and in the list', async () => {
    const account = await sandboxAccount(tenant, 'sms');
    const narrowing = {
      scopes: ['send', 'cancel'],
      channelAccountIds: [account.id],
      expiresAt: inMs(3_600_000),
      allowedIps: ['0.0.0.0/0', '::/0'],
    };
    const made = await create(narrowing);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ id: id('key'), warning: someText, ...narrowing });
    expect(await listed(made.body.id)).toMatchObject({ ...narrowing, replacedBy: null });
    expect((await sendWith(made.body.key)).body).toMatchObject({ channelAccountId: account.id });
  });

  test('takes null for not narrowed', async () => {
    const nothing = { channelAccountIds: null, expiresAt: null, allowedIps: null };
    const made = await create({ ...nothing, scopes: null });
    expect(made.body).toMatchObject({ ...nothing, scopes: ['send', 'read'] });
  });

  test.each([
    ['an unknown scope', { scopes: ['write'] }, 'scopes/0'],
    ['a scope twice', { scopes: ['send', 'send'] }, 'scopes'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['an unknown account', { channelAccountIds: [unknownId('x').slice(2)] }, 'channelAccountIds/0'],
    ['no account', { channelAccountIds: [] }, 'channelAccountIds'],
    ['an end that is past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['an end that is no time', { expiresAt: 'soon' }, 'expiresAt'],
    ['an end after the year 9999', { expiresAt: '9999-12-31T23:59:59-23:59' }, 'expiresAt'],
    ['a block that mixes IPv4 and IPv6', { allowedIps: ['::ffff:127.0.0.1/32'] }, 'allowedIps/0'],
    ['no address', { allowedIps: [] }, 'allowedIps'],
    ['an address that is a name', { allowedIps: ['10.0.0.1', 'localhost'] }, 'allowedIps/1'],
    ['too long a prefix', { allowedIps: ['10.0.0.1/33'] }, 'allowedIps/0'],
    ['21 addresses', { allowedIps: Array.from({ length: 21 }, (_, last) => `10.0.0.${last}`) }, 'allowedIps'],
  ])('with %s is refused, naming it', async (_what, narrowing, at) => {
    expect(await create(narrowing)).toMatchObject(problem('invalid-request', at));
  });

  test('from another address is 403', async () => {
    const { key } = (await create({ allowedIps: ['203.0.113.0/24'] })).body;
    expect(await sendWith(key)).toMatchObject(problem('forbidden'));
  });

  test('without the scope is 403, and the scope is named', async () => {
    const { key } = (await create({ scopes: ['list'] })).body;
    const refused = await sendWith(key);
    expect(refused).toMatchObject(problem('forbidden'));
    expect(refused.body.detail).toContain('scope send');
    const page = await service.call('get', '/v1/notify/messages?limit=1', { apiKey: key });
    expect(page.status).toBe(200);
  });

  test('cancels a message that waits, once', async () => {
    const own = await newTenant();
    const key = await newKey(service, own.accessToken, 10_000, { scopes: ['send', 'cancel'] });
    const linkable = { provider: 'whatsapp-web', name: 'not linked', settings: {} };
    const account = (await own.post('/v1/channel-accounts', linkable)).body;
    const body = { to: phone(), text: 'hi', channelAccountId: account.id };
    const sent = await service.call('post', '/v1/notify/whatsapp/text', { apiKey: key, body });
    const cancel = () => service.call('post', `/v1/notify/messages/${sent.body.id}/cancel`, { apiKey: key });
    expect((await cancel()).body).toMatchObject({ status: 'failed', errorCode: 'canceled' });
    expect(await cancel()).toMatchObject(problem('not-cancelable'));
    await messageWhen(own, sent.body.id, ({ errorCode }) => errorCode === 'canceled');
  });
});

describe('the end of a key', () => {
  test('decides in the commit: no message is accepted after it, however many are under way', async () => {
    const sendFor = async (ms: number) => {
      const expiresAt = inMs(ms);
      const { key } = (await create({ expiresAt, rateLimitOverride: 10_000 })).body;
      return { expiresAt, ...(await sendUntilRefused(key)) };
    };
    const { expiresAt, accepted, refusals } = await withEnoughTime(
      3_000,
      sendFor,
      (sent) => sent.accepted.length > 0,
    );
    expect(accepted.length).toBeGreaterThan(0);
    for (const { createdAt } of accepted) expect(Date.parse(createdAt)).toBeLessThan(Date.parse(expiresAt));
    for (const refusal of refusals) expect(refusal).toMatchObject(problem('invalid-api-key'));
  });

  test('takes it off the list', async () => {
    const { made, shown } = await withEnoughTime(
      3_000,
      async (ms) => {
        const { body } = await create({ expiresAt: inMs(ms) });
        return { made: body, shown: await listed(body.id) };
      },
      (key) => key.shown !== undefined,
    );
    expect(shown).toMatchObject({ id: made.id });
    await until(
      () => listed(made.id),
      (key) => key === undefined,
    );
    expect(await rotate(made.id)).toMatchObject(problem('not-found'));
    expect(await tenant.remove(`/tenant/api-keys/${made.id}`)).toMatchObject(problem('not-found'));
  });
});

test('a key that is revoked during sends accepts none that begins after the answer', async () => {
  const { id: keyId, key } = (await create({ rateLimitOverride: 10_000 })).body;
  const accepted: Response['body'][] = [];
  const sending = sendUntilRefused(key, accepted);
  await until(
    () => accepted.length,
    (count) => count > 0,
  );
  expect((await tenant.remove(`/tenant/api-keys/${keyId}`)).status).toBe(204);
  const later = await Promise.all(Array.from({ length: 10 }, () => sendWith(key)));
  for (const answer of later) expect(answer).toMatchObject(problem('invalid-api-key'));
  const { refusals } = await sending;
  for (const refusal of refusals) expect(refusal).toMatchObject(problem('invalid-api-key'));
});

describe('POST /tenant/api-keys/:id/rotate', () => {
  test('answers 201 with a key of the same kind, and the old one stops', async () => {
    const account = await sandboxAccount(tenant, 'sms');
    const narrowing = {
      scopes: ['send'],
      channelAccountIds: [account.id],
      allowedIps: ['0.0.0.0/0', '::/0'],
      rateLimitOverride: 77,
      expiresAt: inMs(60_000),
    };
    const old = (await create(narrowing)).body;
    const made = await rotate(old.id);
    const { name, rateLimitOverride, scopes, channelAccountIds, expiresAt, allowedIps } = old;
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      name,
      rateLimitOverride,
      scopes,
      channelAccountIds,
      expiresAt,
      allowedIps,
      id: id('key'),
      key: expect.stringMatching(/^svc_live_[0-9A-Za-z]{49}$/),
      createdAt: timestamp,
      warning: someText,
    });
    expect(await sendWith(old.key)).toMatchObject(problem('invalid-api-key'));
    expect((await sendWith(made.body.key)).status).toBe(202);
    expect(await listed(old.id)).toBeUndefined();
  });

  test('with an overlap, both work until its end, and no send is lost', async () => {
    const rotateFor = async (ms: number) => {
      const old = (await create({ rateLimitOverride: 10_000 })).body;
      expect((await sendWith(old.key)).status).toBe(202);
      const made = (await rotate(old.id, { overlapSeconds: ms / 1_000 })).body;
      const shown = await listed(old.id);
      const { accepted } = await sendUntilRefused(old.key);
      return { old, made, shown, accepted };
    };
    const { old, made, shown, accepted } = await withEnoughTime(
      2_000,
      rotateFor,
      (one) => one.shown !== undefined && one.accepted.length > 0,
    );
    expect(shown.replacedBy).toBe(made.id);
    expect(accepted.length).toBeGreaterThan(0);
    for (const { createdAt } of accepted)
      expect(Date.parse(createdAt)).toBeLessThanOrEqual(Date.parse(shown.expiresAt));
    expect((await sendWith(made.key)).status).toBe(202);
    expect(await rotate(old.id)).toMatchObject(problem('not-found'));
  });

  test('of a replaced key answers 409', async () => {
    const old = (await create({})).body;
    const made = (await rotate(old.id, { overlapSeconds: 600 })).body;
    const again = await rotate(old.id);
    expect(again).toMatchObject(problem('not-changeable'));
    expect(again.body.detail).toContain(made.id);
    expect((await tenant.remove(`/tenant/api-keys/${old.id}`)).status).toBe(204);
    expect(await sendWith(old.key)).toMatchObject(problem('invalid-api-key'));
  });

  test('a repeat with the new key finds what the old one sent', async () => {
    const account = await sandboxAccount(tenant, 'sms');
    const old = (await create({ channelAccountIds: [account.id] })).body;
    const body = { ...text(), idempotencyKey: crypto.randomUUID() };
    const send = (apiKey: string) => service.call('post', '/v1/notify/sms/text', { apiKey, body });
    const first = await send(old.key);
    const made = (await rotate(old.id)).body;
    expect((await send(made.key)).body).toEqual(first.body);
  });

  test.each([{ overlapSeconds: -1 }, { overlapSeconds: 604_801 }, { overlapSeconds: 1.5 }, { name: 'x' }])(
    'refuses %j',
    async (body) => {
      const { id: keyId } = (await create({})).body;
      expect(await rotate(keyId, body)).toMatchObject(problem('invalid-request', Object.keys(body)[0]));
    },
  );
});
