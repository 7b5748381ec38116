import type { Response } from 'supertest';
import { describeOwnService } from '../suite/describe-own-service.ts';
import { fieldsOf, type Gateway, startGateway } from '../suite/gateway.ts';
import { problem } from '../suite/problem.ts';
import { newKey, newTenant, sandboxAccount, type Tenant } from '../suite/tenant.ts';
import { until } from '../suite/until.ts';
import { phone } from '../suite/values.ts';

/** Keys, all for sms, and the account that each sends from without naming one. */
const holders = {
  /** Of the application: for all accounts of its tenant. */
  all: { sendsFrom: 'default', mayUse: ['default', 'second', 'sandbox'] },
  default: { sendsFrom: 'default', mayUse: ['default'] },
  second: { sendsFrom: 'second', mayUse: ['second'] },
  sandbox: { sendsFrom: 'sandbox', mayUse: ['sandbox'] },
  two: { sendsFrom: 'default', mayUse: ['default', 'second'] },
  stranger: { sendsFrom: 'elsewhere', mayUse: ['elsewhere'] },
} as const;
type Holder = keyof typeof holders;

const names = Object.keys(holders) as Holder[];
const pairs = names.flatMap((former) => names.map((latter) => [latter, former] as const));

/** Whether a key may use the account that another sends from, and so sees what that one sent. */
function sees(latter: Holder, former: Holder): boolean {
  return (holders[latter].mayUse as readonly string[]).includes(holders[former].sendsFrom);
}
const isTested = (holder: Holder) => ['sandbox', 'elsewhere'].includes(holders[holder].sendsFrom);

describeOwnService('keys of one tenant, and one of another', () => {
  let gateway: Gateway;
  let tenant: Tenant;
  let stranger: Tenant;
  const keys = {} as Record<Holder, string>;
  const accounts = {} as Record<string, string>;
  beforeAll(async () => {
    gateway = await startGateway();
    tenant = await newTenant();
    stranger = await newTenant();
    accounts['sandbox'] = (await sandboxAccount(tenant, 'sms')).id;
    accounts['elsewhere'] = (await sandboxAccount(stranger, 'sms')).id;
    for (const name of ['default', 'second']) {
      const isDefault = name === 'default';
      const body = { provider: 'http-sms', name, settings: gateway.settings, verify: false, isDefault };
      accounts[name] = (await tenant.post('/v1/channel-accounts', body)).body.id;
    }
    for (const name of names) {
      const scopes = ['send', 'read', 'list', 'cancel'];
      const channelAccountIds =
        name === 'all' || name === 'stranger'
          ? null
          : holders[name].mayUse.map((account) => accounts[account]);
      const by = name === 'stranger' ? stranger : tenant;
      keys[name] = await newKey(by.service, by.accessToken, 10_000, { scopes, channelAccountIds });
    }
  });
  afterAll(() => gateway?.[Symbol.asyncDispose]());

  const call = (holder: Holder, method: 'get' | 'post', path: string, body?: object) =>
    tenant.service.call(method, `/v1/notify/${path}`, {
      apiKey: keys[holder],
      ...(body === undefined ? {} : { body }),
    });
  const start = (holder: Holder, body: object) => call(holder, 'post', 'verifications', body);
  const check = (holder: Holder, id: string, code: string) =>
    call(holder, 'post', `verifications/${id}/check`, { code });

  /** The code that the gateway was given for this recipient. */
  async function codeFor(to: string): Promise<string> {
    const given = () =>
      gateway.receiver.received.map(fieldsOf).filter((fields) => to.endsWith(fields['to'] ?? 'nobody'));
    const [fields] = await until(given, ({ length }) => length > 0);
    return /\d{6}/.exec(fields!['text']!)![0];
  }

  test('the code of the sandbox never approves a number that a real code was sent to', async () => {
    const to = phone();
    const tested = await start('sandbox', { to, channel: 'sms' });
    const real = await start('all', { to, channel: 'sms' });
    expect([tested.body.sandbox, real.body.sandbox]).toEqual([true, false]);
    const code = await codeFor(to);
    expect((await check('all', real.body.id, '000000')).body).toEqual({ status: 'pending', attemptsLeft: 4 });
    expect((await check('all', real.body.id, code)).body.status).toBe('approved');
    expect((await check('sandbox', tested.body.id, '000000')).body.status).toBe('approved');
  });

  describe.each(pairs)('%s after %s', (latter, former) => {
    const isSeen = sees(latter, former);
    /** A real start and one of the sandbox do not meet, whoever makes them. */
    const meets = isSeen && isTested(latter) === isTested(former);
    /** A message of the sandbox does not answer for one that would be sent. */
    const answers = isSeen && !(isTested(former) && !isTested(latter));
    const isElsewhere = (latter === 'stranger') !== (former === 'stranger');

    /** What the latter gets for the same request under the same idempotency key: both statuses, the code, and whether it is the same. */
    const repeat = (first: Response, again: Response) => [
      first.status,
      again.status,
      again.body.code,
      again.text.includes(first.body.id),
    ];
    const expected = (isAnswer: boolean) => {
      const isRefused = !isAnswer && !isElsewhere;
      return [202, isRefused ? 409 : 202, isRefused ? 'idempotency-key-reused' : undefined, isAnswer];
    };

    test('a verification', async () => {
      const body = { to: phone(), channel: 'sms' };
      const first = (await start(former, body)).body;
      const second = (await start(latter, body)).body;
      expect(second.id === first.id).toBe(meets);
      expect(second.sandbox).toBe(isTested(latter));
      const shown = await call(latter, 'get', `verifications/${first.id}`);
      const checked = await check(latter, first.id, '999999');
      expect([shown.status, checked.status]).toEqual(isSeen ? [200, 200] : [404, 404]);
      const own = await call(former, 'get', `verifications/${first.id}`);
      expect(own.body).toMatchObject({ status: 'pending', attemptsLeft: isSeen ? 4 : 5 });
    });

    test('an idempotency key of a verification', async () => {
      const body = { to: phone(), channel: 'sms', idempotencyKey: crypto.randomUUID() };
      expect(repeat(await start(former, body), await start(latter, body))).toEqual(expected(meets));
    });

    test('an idempotency key of a message', async () => {
      const body = { to: phone(), text: 'hi', idempotencyKey: crypto.randomUUID() };
      const first = await call(former, 'post', 'sms/text', body);
      expect(repeat(first, await call(latter, 'post', 'sms/text', body))).toEqual(expected(answers));
      const [item] = (await call(latter, 'post', 'sms/bulk', { messages: [body] })).body;
      expect(item.id === first.body.id).toBe(answers);
      expect(item.errorCode).toBe(answers || isElsewhere ? undefined : 'idempotency-key-reused');
    });

    test('an idempotency key of a group', async () => {
      const route = { channel: 'sms', to: phone(), text: 'hi' };
      const body = { routes: [route, route], idempotencyKey: crypto.randomUUID() };
      const first = await call(former, 'post', 'send', body);
      expect(repeat(first, await call(latter, 'post', 'send', body))).toEqual(expected(answers));
    });

    test('a group and its message', async () => {
      const body = { routes: [{ channel: 'sms', to: phone(), text: 'hi' }] };
      const { id, messages } = (await call(former, 'post', 'send', body)).body;
      const looks = ['get', 'get'].map((method, at) =>
        call(latter, method as 'get', at === 0 ? `groups/${id}` : `messages/${messages[0].id}`),
      );
      const status = isSeen ? 200 : 404;
      expect((await Promise.all(looks)).map((answer) => answer.status)).toEqual([status, status]);
    });

    test('a message that is canceled by filter', async () => {
      const to = phone();
      const sendAt = new Date(Date.now() + 3_600_000).toISOString();
      const { id } = (await call(former, 'post', 'sms/text', { to, text: 'hi', sendAt })).body;
      const found = (await call(latter, 'get', `messages?to=${encodeURIComponent(to)}`)).body.data;
      expect(found.map(({ messageId }: { messageId: string }) => messageId)).toEqual(isSeen ? [id] : []);
      const { body } = await call(latter, 'post', 'messages/cancel', { filter: { to } });
      expect(body).toEqual({ matched: isSeen ? 1 : 0, canceled: isSeen ? 1 : 0, more: false });
      const { status } = (await call(former, 'get', `messages/${id}`)).body;
      expect(status).toBe(isSeen ? 'failed' : 'queued');
    });
  });

  test('a group with a route of another account is neither shown nor repeated', async () => {
    const [to, idempotencyKey] = [phone(), crypto.randomUUID()];
    const routes = ['default', 'second'].map((account) => ({
      channel: 'sms',
      to,
      text: 'hi',
      channelAccountId: accounts[account],
    }));
    const first = await call('two', 'post', 'send', { routes, idempotencyKey });
    expect((await call('all', 'post', 'send', { routes, idempotencyKey })).body).toEqual(first.body);
    for (const holder of ['default', 'second', 'sandbox'] as const) {
      expect((await call(holder, 'get', `groups/${first.body.id}`)).status).toBe(404);
      const again = await call(holder, 'post', 'send', { routes, idempotencyKey });
      expect(again).toMatchObject(problem('idempotency-key-reused'));
    }
  });

  test('a group of the sandbox does not answer for one of which a later route is real', async () => {
    const channelAccountIds = [accounts['sandbox'], (await sandboxAccount(tenant, 'whatsapp')).id];
    const apiKey = await newKey(tenant.service, tenant.accessToken, 10_000, { channelAccountIds });
    const to = phone();
    const routes = ['whatsapp', 'sms'].map((channel) => ({ channel, to, text: 'hi' }));
    const body = { routes, idempotencyKey: crypto.randomUUID() };
    const first = await tenant.service.call('post', '/v1/notify/send', { apiKey, body });
    expect(first.status).toBe(202);
    expect(await call('all', 'post', 'send', body)).toMatchObject(problem('idempotency-key-reused'));
    expect((await tenant.service.call('post', '/v1/notify/send', { apiKey, body })).body).toEqual(first.body);
  });

  test.each([
    ['sms/text', (to: string) => ({ to, text: 'hi' })],
    ['send', (to: string) => ({ routes: [{ channel: 'sms', to, text: 'hi' }] })],
    ['verifications', (to: string) => ({ to, channel: 'sms' })],
  ])('of two that race for an idempotency key of %s, one is refused', async (path, bodyFor) => {
    for (let round = 0; round < 10; round += 1) {
      const body = { ...bodyFor(phone()), idempotencyKey: crypto.randomUUID() };
      const racers = ['sandbox', 'all'] as const;
      const answers = await Promise.all(racers.map((holder) => call(holder, 'post', path, body)));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 409]);
    }
  });

  test('events name the account of their own message, and no event is of another tenant', async () => {
    const idsOf = async (by: Tenant) => {
      const ids = new Map<string, string>();
      for (let cursor = ''; ;) {
        const { body } = await by.get(`/v1/events?limit=100${cursor}`);
        for (const entry of body.data) {
          const { messageId, channelAccountId } = JSON.parse(entry.body);
          ids.set(messageId, channelAccountId);
        }
        if (!body.hasMore) return ids;
        cursor = `&cursor=${body.nextCursor}`;
      }
    };
    const sent = await Promise.all(
      names.map(async (holder) => {
        const { body } = await call(holder, 'post', 'sms/text', { to: phone(), text: 'hi' });
        return [body.id as string, accounts[holders[holder].sendsFrom], holder] as const;
      }),
    );
    const isListed = ([ours, theirs]: readonly Map<string, string>[]) =>
      sent.every(([id]) => ours!.has(id) || theirs!.has(id));
    const [ours, theirs] = await until(() => Promise.all([idsOf(tenant), idsOf(stranger)]), isListed);
    for (const [id, account, holder] of sent) {
      expect((holder === 'stranger' ? theirs : ours).get(id)).toBe(account);
      expect((holder === 'stranger' ? ours : theirs).has(id)).toBe(false);
    }
  });
});
