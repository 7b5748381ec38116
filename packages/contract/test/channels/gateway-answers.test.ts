import { type Receiver, startReceiver } from '@notify/testkit';
import type { Response } from 'supertest';
import { describeOwnService } from '../suite/describe-own-service.ts';
import { type Call, serviceUnderTest } from '../suite/service.ts';
import { messageWhen, newTenant, type Tenant } from '../suite/tenant.ts';
import { until } from '../suite/until.ts';
import { phone } from '../suite/values.ts';

/* Gateways that write ids as numbers, begin their answers with a byte order mark, and hand over texts in UTF-16. */

describeOwnService('an SMS gateway by template', () => {
  const externalId = '12345678901234567890';
  const service = serviceUnderTest();
  let gateway: Receiver;
  let tenant: Tenant;
  let account: Response['body'];
  beforeAll(async () => {
    gateway = await startReceiver();
    tenant = await newTenant();
    const body = {
      type: 'json',
      template: '{"to":"{{to}}","text":"{{text}}","ttl":{{ttl_seconds}},"until":"{{expires_at}}"}',
    };
    const settings = {
      url: `${gateway.url}/send`,
      body,
      externalId: { pointer: '/message/id' },
      reports: { status: '/status', externalId: '/id', values: { DELIVRD: 'delivered' } },
      inbound: { from: 'from', text: 'text', charset: 'charset', id: 'id' },
    };
    const made = { provider: 'http-sms', name: 'numbers', settings, verify: false, isDefault: true };
    account = (await tenant.post('/v1/channel-accounts', made)).body;
  });
  afterAll(async () => {
    await gateway?.close();
  });

  const send = async (more: object = {}) =>
    (await tenant.send('sms/text', { to: phone(), text: 'hello', ...more })).body;
  const callback = (method: 'get' | 'post', { query = '', ...call }: Call & { query?: string }) =>
    service.call(method, `${new URL(account.callbackUrl).pathname}${query}`, call);

  test('a numeric id of 20 digits after a byte order mark finds its receipts', async () => {
    gateway.behave({ status: 200, body: `\ufeff{"message":{"id":${externalId}}}` });
    const sent = await send();
    const shown = await messageWhen(tenant, sent.id, ({ status }) => status === 'sent');
    expect(shown).toMatchObject({ externalId });
    const receipt = `\ufeff{"id":${externalId},"status":"DELIVRD"}`;
    expect((await callback('post', { raw: receipt })).status).toBeLessThan(300);
    await messageWhen(tenant, sent.id, ({ status }) => status === 'delivered');
  });

  test('an answer without an id is told in the timeline', async () => {
    gateway.behave({ status: 200, body: '{"message":{}}' });
    const { id } = await send();
    await messageWhen(tenant, id, ({ status }) => status === 'sent');
    const { body } = await tenant.get(`/v1/messages/${id}`);
    const attempts = body.timeline.filter(({ kind }: { kind: string }) => kind === 'attempt');
    expect(body.externalId).toBeNull();
    expect(attempts).toMatchObject([
      { outcome: 'accepted', text: expect.stringContaining('No message ID where `externalId` expects it') },
    ]);
  });

  test('each request has what remains of the life of its message', async () => {
    gateway.behave({ status: 200, body: '{"message":{"id":"x"}}' });
    const before = gateway.received.length;
    const { expiresAt } = await send({ expiresInSeconds: 90 }).then(({ id }) =>
      messageWhen(tenant, id, ({ status }) => status === 'sent'),
    );
    const asked = JSON.parse(gateway.received[before]!.body.toString()) as { ttl: number; until: string };
    expect(asked.ttl).toBeLessThanOrEqual(90);
    expect(asked.ttl).toBeGreaterThan(0);
    expect(Date.parse(asked.until)).toBeLessThanOrEqual(Date.parse(expiresAt));
  });

  test.each([
    ['little endian with its mark', '%FF%FES%00T%00O%00P%00'],
    ['big endian with its mark', '%FE%FF%00S%00T%00O%00P'],
    ['big endian without a mark', '%00S%00T%00O%00P'],
  ])('a STOP in UTF-16 counts: %s', async (_, text) => {
    const from = phone();
    const query = `?from=${encodeURIComponent(from)}&text=${text}&charset=UTF-16&id=${encodeURIComponent(from)}`;
    expect((await callback('get', { query })).status).toBeLessThan(300);
    const at = `/v1/consent/${account.id}/${encodeURIComponent(from)}`;
    const consent = await until(
      async () => (await tenant.get(at)).body,
      ({ status }: Response['body']) => status !== null,
    );
    expect(consent).toMatchObject({ status: 'opted-out', source: 'keyword' });
  });
});
