import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import type { Response } from 'supertest';
import { describeOwnService } from '../suite/describe-own-service.ts';
import { fieldsOf, type Gateway, startGateway } from '../suite/gateway.ts';
import { publicUrl } from '../suite/own-service.ts';
import { problem } from '../suite/problem.ts';
import { serviceUnderTest } from '../suite/service.ts';
import { messageWhen, newTenant, sandboxAccount, type Tenant } from '../suite/tenant.ts';
import { phone, someText, timestamp } from '../suite/values.ts';

describeOwnService('an SMS gateway in the Kannel profile', () => {
  const service = serviceUnderTest();
  let gateway: Gateway;
  let tenant: Tenant;
  /** Sent before the tests, so that its life passes while they run. */
  let shortLived: { readonly tenant: Tenant; readonly sent: Response['body'] };
  let shutGateway: Gateway;
  beforeAll(async () => {
    gateway = shutGateway = await startGateway();
    tenant = await newTenant();
    await connect();
    gateway.receiver.behave({ status: 403, body: 'Authorization failed for sendsms' });
    shortLived = { tenant, sent: await send({ expiresInSeconds: 30 }) };
  });
  beforeEach(async () => {
    gateway = await startGateway();
    tenant = await newTenant();
  });
  afterEach(async () => {
    await gateway[Symbol.asyncDispose]();
  });
  afterAll(async () => {
    await shutGateway?.[Symbol.asyncDispose]();
  });

  const add = (settings: object) =>
    tenant.post('/v1/channel-accounts', {
      provider: 'http-sms',
      name: 'our gateway',
      settings,
      verify: false,
      isDefault: true,
    });
  const connect = async (settings: object = {}) => (await add({ ...gateway.settings, ...settings })).body;
  /** Adds the same gateway as one that templates describe. */
  const addByTemplate = (settings: object) => add({ url: gateway.settings['url'], ...settings });
  const send = async (more: object = {}) =>
    (await tenant.send('sms/text', { to: phone(), text: 'hello', ...more })).body;
  /** Calls the service back as the gateway would, at the address the gateway was given. */
  const report = (dlrUrl: string, type: string) => {
    const { pathname, search } = new URL(dlrUrl.replace('%d', type).replace('%A', ''));
    return service.call('get', `${pathname}${search}`);
  };

  test('verifies where it answers as a gateway does', async () => {
    const { id } = await connect();
    gateway.receiver.behave({ status: 400, body: 'Missing receiver number, rejected' });
    const right = await tenant.post(`/v1/channel-accounts/${id}/verify`);
    expect(right).toMatchObject({ status: 200, body: { ok: true, detail: someText } });
    gateway.receiver.behave({ status: 403, body: 'Authorization failed for sendsms' });
    const wrong = await tenant.post(`/v1/channel-accounts/${id}/verify`);
    expect(wrong).toMatchObject({ status: 200, body: { ok: false, detail: someText } });
  });

  test('is told recipient, text and where to report, and the message is sent', async () => {
    await connect();
    const sent = await send({ to: '+491701237777', text: 'grüße & mehr' });
    const fields = fieldsOf(await gateway.receiver.next());
    expect(fields).toMatchObject({ to: '+491701237777', text: 'grüße & mehr', from: '12345' });
    expect(fields['dlr-url']).toMatch(`${publicUrl}/callbacks/http-sms/`);
    expect(await messageWhen(tenant, sent.id, ({ status }) => status === 'sent')).toMatchObject({
      sentAt: timestamp,
    });
  });

  test('shows the address it reports to as callbackUrl, where the sandbox, which reports nothing, has none', async () => {
    const account = await connect();
    expect(account.callbackUrl).toMatch(`${publicUrl}/callbacks/http-sms/${account.id}`);
    expect((await sandboxAccount(tenant, 'sms')).callbackUrl).toBeNull();
  });

  test.each([
    ['1', 'delivered', { deliveredAt: timestamp, error: null }],
    ['2', 'failed', { failedAt: timestamp, error: someText, errorCode: someText }],
  ])('its report %s makes the message %s', async (type, status, expected) => {
    await connect();
    const sent = await send();
    const { 'dlr-url': dlrUrl = '' } = fieldsOf(await gateway.receiver.next());
    await messageWhen(tenant, sent.id, (message) => message.status === 'sent');
    expect((await report(dlrUrl, type)).status).toBeLessThan(300);
    expect(await messageWhen(tenant, sent.id, (message) => message.status === status)).toMatchObject(
      expected,
    );
  });

  test('its reports may come twice, late or out of order: delivered stays and wins over failed', async () => {
    await connect();
    const sent = await send();
    const { 'dlr-url': dlrUrl = '' } = fieldsOf(await gateway.receiver.next());
    await messageWhen(tenant, sent.id, ({ status }) => status === 'sent');
    await report(dlrUrl, '2');
    await messageWhen(tenant, sent.id, ({ status }) => status === 'failed');
    await report(dlrUrl, '1');
    const delivered = await messageWhen(tenant, sent.id, ({ status }) => status === 'delivered');
    for (const type of ['8', '2', '1']) expect((await report(dlrUrl, type)).status).toBeLessThan(300);
    const other = await send();
    await messageWhen(tenant, other.id, ({ status }) => status === 'sent');
    expect((await tenant.message(sent.id)).body).toMatchObject({
      status: 'delivered',
      deliveredAt: delivered.deliveredAt,
      error: null,
    });
  });

  test('a report with a wrong secret, or for an account nobody has, is 404 and changes nothing', async () => {
    await connect();
    const sent = await send();
    const { 'dlr-url': dlrUrl = '' } = fieldsOf(await gateway.receiver.next());
    await messageWhen(tenant, sent.id, ({ status }) => status === 'sent');
    const [, , , accountId = '', secret = ''] = new URL(dlrUrl).pathname.split('/');
    const forged = [dlrUrl.replace(secret, 'guessed'), dlrUrl.replace(accountId, crypto.randomUUID())];
    for (const url of forged) expect(await report(url, '1')).toMatchObject(problem('not-found'));
    expect((await tenant.message(sent.id)).body.status).toBe('sent');
  });

  test('described by a template gets what the template says, and its JSON is understood', async () => {
    const account = await addByTemplate({
      headers: { authorization: 'Bearer {{secret.token}}' },
      secrets: { token: 'hush' },
      body: { type: 'json', template: '{"to":"{{to}}","text":"{{text}}","report":"{{dlr_url}}"}' },
      externalId: { pointer: '/message/id' },
      reports: { status: '/status', values: { DELIVRD: 'delivered' } },
    });
    expect(account.status).toBe(201);
    expect(account.text).not.toContain('hush');
    gateway.receiver.behave({
      headers: { 'content-type': 'application/json' },
      body: '{"message":{"id":"m-1"}}',
    });
    const sent = await send({ to: '+491701237777', text: 'say "hi"\n' });
    const { headers, body } = await gateway.receiver.next();
    const asked = JSON.parse(body.toString());
    expect(headers.authorization).toBe('Bearer hush');
    expect(asked).toMatchObject({ to: '+491701237777', text: 'say "hi"\n' });
    const message = await messageWhen(tenant, sent.id, ({ status }) => status === 'sent');
    expect(message.externalId).toBe('m-1');
    const { pathname, search } = new URL(asked.report);
    const reported = await service.call('post', `${pathname}${search}`, { body: { status: 'DELIVRD' } });
    expect(reported.status).toBeLessThan(300);
    await messageWhen(tenant, sent.id, ({ status }) => status === 'delivered');
  });

  describe('whose callbacks are signed', () => {
    const reports = { status: '/status', id: '/ref', values: { DELIVRD: 'delivered' } };
    const header = 'X-Signature';
    const timed = { signed: '{{timestamp}}.{{body}}', timestampHeader: 'X-Timestamp' };
    const secret = 'hush, a shared secret';
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const key = publicKey.export({ type: 'spki', format: 'der' }).subarray(12).toString('base64');
    const seconds = (ago = 0) => String(Math.floor(Date.now() / 1_000) - ago);
    const basic = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` });
    const hmac = (body: string, time: string, by = secret) => ({
      'X-Signature': createHmac('sha256', by).update(`${time}.${body}`).digest('hex'),
      'X-Timestamp': time,
    });
    const ed25519 = (body: string, time: string) => ({
      'X-Signature': sign(null, Buffer.from(`${time}.${body}`), privateKey).toString('base64'),
      'X-Timestamp': time,
    });

    /** An account with one message that was sent, and what calls back with the receipt of it. */
    async function reporting(callbackSignature: object) {
      const account = await addByTemplate({
        body: { type: 'form', fields: { to: '{{to}}', text: '{{text}}' } },
        success: { status: ['202'] },
        reports,
        callbackSignature,
      });
      expect(account.status).toBe(201);
      const sent = await send();
      await messageWhen(tenant, sent.id, ({ status }) => status === 'sent');
      const receipt = JSON.stringify({ ref: sent.id.replace(/^msg_/, ''), status: 'DELIVRD' });
      const { pathname } = new URL(account.body.callbackUrl);
      const call = (headers: Readonly<Record<string, string>>, text = receipt) =>
        service.call('post', pathname, { headers, raw: text });
      return { account, sent, receipt, call };
    }

    test.each([
      [
        'hmac',
        { type: 'hmac', header, secret, ...timed },
        (body: string) => hmac(body, seconds()),
        (body: string) => [
          {},
          hmac(`${body} `, seconds()),
          hmac(body, seconds(), 'another secret'),
          hmac(body, seconds(600)),
          { ...hmac(body, seconds(600)), 'X-Timestamp': seconds() },
        ],
      ],
      [
        'ed25519',
        { type: 'ed25519', header, publicKey: key, ...timed },
        (body: string) => ed25519(body, seconds()),
        (body: string) => [
          {},
          ed25519(`${body} `, seconds()),
          ed25519(body, seconds(600)),
          hmac(body, seconds()),
        ],
      ],
      [
        'basic',
        { type: 'basic', username: 'gate', password: secret },
        () => basic(`gate:${secret}`),
        () => [{}, basic('gate:x'), basic(`x:${secret}`), { Authorization: `Bearer ${secret}` }],
      ],
    ])('takes a callback of type %s, and answers 404 to others', async (_, signature, right, wrong) => {
      const { account, sent, receipt, call } = await reporting(signature);
      expect(account.text).not.toContain(secret);
      for (const headers of wrong(receipt)) expect(await call(headers)).toMatchObject(problem('not-found'));
      expect((await tenant.message(sent.id)).body.status).toBe('sent');
      expect((await call(right(receipt))).status).toBeLessThan(300);
      await messageWhen(tenant, sent.id, ({ status }) => status === 'delivered');
    });

    test('by address hears only known addresses', async () => {
      const near = await reporting({ type: 'addresses', addresses: ['127.0.0.0/8', '::1'] });
      expect((await near.call({})).status).toBeLessThan(300);
      const far = await reporting({ type: 'addresses', addresses: ['203.0.113.0/24'] });
      expect(await far.call({})).toMatchObject(problem('not-found'));
    });

    test('the shared secret is kept when it comes back masked, and a fault names its field', async () => {
      const { account, receipt, call } = await reporting({ type: 'hmac', header, secret, ...timed });
      const path = `/v1/channel-accounts/${account.body.id}`;
      const { callbackSignature } = account.body.settings;
      expect(callbackSignature).toMatchObject({ type: 'hmac', secret: '********' });
      const kept = await tenant.patch(path, { settings: { callbackSignature }, verify: false });
      expect(kept.status).toBe(200);
      expect((await call(hmac(receipt, seconds()))).status).toBeLessThan(300);
      const wrong = await tenant.patch(path, {
        settings: { callbackSignature: { header: null } },
        verify: false,
      });
      expect(wrong).toMatchObject(problem('invalid-request'));
      expect(JSON.stringify(wrong.body)).toContain('callbackSignature/header');
      const none = await tenant.patch(path, { settings: { callbackSignature: null }, verify: false });
      expect(none.status).toBe(200);
      expect((await call({})).status).toBeLessThan(300);
    });
  });

  test('that refuses a message for good fails it', async () => {
    await connect();
    gateway.receiver.behave({ status: 400, body: 'Malformed receiver number' });
    const sent = await send();
    const failed = await messageWhen(tenant, sent.id, ({ status }) => status === 'failed');
    expect(failed).toMatchObject({ error: someText, errorCode: someText, attempts: 1, sentAt: null });
  });

  test('that is busy for now is asked again', async () => {
    await connect();
    gateway.receiver.behave({ status: 503 });
    const sent = await send();
    await gateway.receiver.next();
    gateway.receiver.behave({ status: 202, body: '0: Accepted for delivery' });
    const message = await messageWhen(tenant, sent.id, ({ status }) => status === 'sent');
    expect(message.attempts).toBeGreaterThan(1);
  });

  test('while it is not reachable, sends are accepted and wait', async () => {
    await connect();
    gateway.receiver.behave({ status: 403, body: 'Authorization failed for sendsms' });
    const first = await send();
    await gateway.receiver.next();
    const second = await send();
    expect([first.status, second.status]).toEqual(['queued', 'queued']);
  });

  test('gets a long text in parts where it takes one segment at most, and the message counts them', async () => {
    await connect({ maxSegments: 1 });
    const sent = await send({ text: 'x'.repeat(200) });
    const parts = [fieldsOf(await gateway.receiver.next()), fieldsOf(await gateway.receiver.next())];
    expect(parts.map(({ text }) => text).join('')).toBe('x'.repeat(200));
    const message = await messageWhen(tenant, sent.id, ({ status }) => status === 'sent');
    expect(message.segments).toBe(2);
    await report(parts[0]?.['dlr-url'] ?? '', '1');
    const other = await send();
    await messageWhen(tenant, other.id, ({ status }) => status === 'sent');
    expect((await tenant.message(sent.id)).body.status).toBe('sent');
    await report(parts[1]?.['dlr-url'] ?? '', '1');
    await messageWhen(tenant, sent.id, ({ status }) => status === 'delivered');
  });

  test('that does not answer in time to a message’s life lets it expire', async () => {
    const { tenant, sent } = shortLived;
    const failed = await messageWhen(tenant, sent.id, ({ status }) => status === 'failed');
    expect(failed).toMatchObject({ errorCode: 'expired', error: someText });
    expect(Date.parse(failed.failedAt) - Date.parse(sent.createdAt)).toBeGreaterThanOrEqual(30_000);
  });
});
