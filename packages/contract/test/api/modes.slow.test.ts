import { type Receiver, startReceiver } from '@notify/testkit';
import { describeOwnService } from '../suite/describe-own-service.ts';
import { startGateway } from '../suite/gateway.ts';
import { openInbox, subscribe, webhookWhen } from '../suite/inbox.ts';
import { openApi, openServiceHere, type OwnService } from '../suite/own-service.ts';
import { problem } from '../suite/problem.ts';
import {
  freshEmail,
  messageWhen,
  newTenant,
  password,
  sandboxAccount,
  setCookieNamed,
  type Tenant,
} from '../suite/tenant.ts';
import { until } from '../suite/until.ts';
import { phone, recipient, someText } from '../suite/values.ts';

const message = () => ({ to: phone(), text: 'hello' });
const register = (service: OwnService) =>
  service.call('post', '/auth/register', { body: { name: 'Ada', email: freshEmail(), password } });

/** A service with these settings, for the tests of one `describe`; an api alone where only that reads them. */
function withService(
  environment: Readonly<Record<string, string>>,
  open: (environment: Readonly<Record<string, string>>) => Promise<OwnService> = openServiceHere,
): () => OwnService {
  let service: OwnService;
  beforeAll(async () => {
    service = await open(environment);
  });
  afterAll(async () => {
    await service?.stop();
  });
  return () => service;
}

describeOwnService('RECEIPT_WAIT_SECONDS=2, MAX_WAITING_PER_TENANT=5', () => {
  const service = withService({ RECEIPT_WAIT_SECONDS: '2', MAX_WAITING_PER_TENANT: '5' });
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await newTenant(service());
  });

  test('an unknown outcome is sent once more, once only, as a possible duplicate', async () => {
    await using inbox = await openInbox();
    await subscribe(tenant, inbox);
    const { body: sent } = await tenant.send('sms/text', { to: recipient('sms', '0003'), text: 'hello' });
    const ended = await messageWhen(tenant, sent.id, ({ status }) => status === 'failed');
    expect(ended).toMatchObject({
      attempts: 2,
      possibleDuplicate: true,
      errorCode: 'outcome-unknown',
      error: someText,
    });
    const [failed] = await inbox.atLeast(1, ({ event }) => event.event === 'message.failed');
    expect(failed?.event).toMatchObject({ possibleDuplicate: true, errorCode: 'outcome-unknown' });
  });

  test('waits for a receipt before it does so', async () => {
    const { body: sent } = await tenant.send('sms/text', { to: recipient('sms', '0003'), text: 'hello' });
    const waiting = await messageWhen(tenant, sent.id, ({ attempts }) => attempts === 1);
    expect(waiting).toMatchObject({ status: 'queued', possibleDuplicate: false, error: null });
    const again = await messageWhen(tenant, sent.id, ({ attempts }) => attempts === 2);
    expect(Date.parse(again.updatedAt) - Date.parse(sent.createdAt)).toBeGreaterThanOrEqual(2_000);
  });

  test('with at-most-once it fails with outcome-unknown, and is not sent again', async () => {
    const own = await newTenant(service());
    const { id } = await sandboxAccount(own, 'sms');
    const settings = { channel: 'sms', onUnknownOutcome: 'at-most-once' };
    expect((await own.patch(`/v1/channel-accounts/${id}`, { settings })).status).toBe(200);
    const { body: sent } = await own.send('sms/text', { to: recipient('sms', '0003'), text: 'hello' });
    const ended = await messageWhen(own, sent.id, ({ status }) => status === 'failed');
    expect(ended).toMatchObject({ attempts: 1, possibleDuplicate: false, errorCode: 'outcome-unknown' });
  });

  const limitReached = {
    status: 429,
    type: 'application/problem+json',
    body: { status: 429, code: 'limit-reached' },
  };

  test('the sixth message that waits is refused with 429, a repeat is not, and one more is taken when one has gone', async () => {
    await using gateway = await startGateway();
    const tenant = await newTenant(service());
    gateway.receiver.behave({ status: 503 });
    await tenant.post('/v1/channel-accounts', {
      provider: 'http-sms',
      name: 'busy',
      settings: gateway.settings,
      verify: false,
      isDefault: true,
    });
    const keyed = { ...message(), idempotencyKey: 'first' };
    const first = await tenant.send('sms/text', keyed);
    for (let count = 1; count < 5; count += 1) {
      expect((await tenant.send('sms/text', message())).status).toBe(202);
    }
    expect(await tenant.send('sms/text', message())).toMatchObject(limitReached);
    expect(await tenant.send('sms/bulk', { messages: [message()] })).toMatchObject(limitReached);
    expect(await tenant.send('sms/bulk', { messages: [keyed, message()] })).toMatchObject(limitReached);
    expect(await tenant.send('sms/text', keyed)).toMatchObject({ status: 202, body: first.body });
    gateway.receiver.behave({ status: 202, body: '0: Accepted for delivery' });
    await until(
      async () => (await tenant.send('sms/text', message())).status,
      (status) => status === 202,
    );
  });

  test('another tenant is not affected', async () => {
    const tenant = await newTenant(service());
    expect((await tenant.send('sms/text', message())).status).toBe(202);
  });
});

describeOwnService('SANDBOX=off, COOKIE_SECURE=on', () => {
  const service = withService({ SANDBOX: 'off', COOKIE_SECURE: 'on' }, openApi);

  test('a new tenant has no accounts, and a send says that the channel is not connected', async () => {
    const tenant = await newTenant(service());
    expect((await tenant.get('/v1/channel-accounts')).body).toEqual([]);
    expect(await tenant.send('sms/text', message())).toMatchObject(problem('channel-not-connected'));
    const media = { to: recipient('telegram'), type: 'image', url: 'https://example.com/a.png' };
    expect(await tenant.send('telegram/media', media)).toMatchObject(problem('channel-not-connected'));
  });

  test('the schema goes before the missing account', async () => {
    const tenant = await newTenant(service());
    expect(await tenant.send('sms/text', { to: phone() })).toMatchObject(problem('invalid-request', 'text'));
  });

  test('the cookies are sent over https only', async () => {
    const registered = await register(service());
    for (const name of ['svc_refresh', 'svc_device'])
      expect(setCookieNamed(name, registered)).toMatch(/; *Secure(;|$)/i);
  });
});

describeOwnService('EGRESS_PRIVATE=off, and one address in EGRESS_ALLOW', () => {
  let service: OwnService;
  let allowed: Receiver;
  beforeAll(async () => {
    allowed = await startReceiver();
    const { host } = new URL(allowed.url);
    service = await openServiceHere({ EGRESS_PRIVATE: 'off', EGRESS_ALLOW: host.replace(':', '/32:') });
  });
  afterAll(async () => {
    await service?.stop();
    await allowed?.close();
  });

  test.each([
    'http://example.com/hook',
    'http://127.0.0.1:9/hook',
    'https://127.0.0.1/hook',
    'https://10.0.0.1/hook',
    'https://192.168.1.1/hook',
    'https://169.254.169.254/hook',
    'https://[::1]/hook',
    'https://[::ffff:10.0.0.1]/hook',
    'https://2130706433/hook',
    'https://0x7f.1/hook',
  ])('a webhook may not lead to %s', async (url) => {
    const tenant = await newTenant(service);
    expect(await tenant.post('/v1/webhooks', { url })).toMatchObject(problem('invalid-request', 'url'));
  });

  test('a webhook may lead to the address that is allowed', async () => {
    const tenant = await newTenant(service);
    expect((await tenant.post('/v1/webhooks', { url: allowed.url })).status).toBe(201);
    await tenant.send('sms/text', message());
    expect((await allowed.next()).method).toBe('POST');
  });

  test('a webhook whose name leads to a private address is never connected', async () => {
    await using closed = await startReceiver();
    const tenant = await newTenant(service);
    const url = `https://localhost:${new URL(closed.url).port}/`;
    const made = await tenant.post('/v1/webhooks', { url });
    if (made.status === 201) {
      await tenant.send('sms/text', message());
      await webhookWhen(tenant, made.body.id, ({ failureCount }) => failureCount > 0);
    }
    expect([201, 422]).toContain(made.status);
    expect(closed.connections).toBe(0);
  });
});

describeOwnService('REGISTRATION=closed, and 5 logins a minute for each address', () => {
  const closed = { REGISTRATION: 'closed', LOGIN_ATTEMPTS_PER_ADDRESS: '5', TRUSTED_PROXIES: '1' };
  const service = withService(closed, openApi);
  // Whatever else runs meanwhile logs in from the address of this machine.
  const headers = { 'x-forwarded-for': '192.0.2.1' };

  test('nobody can register', async () => {
    expect(await register(service())).toMatchObject(problem('forbidden'));
  });

  test('the sixth login from an address is 429, whatever the account', async () => {
    const attempt = () =>
      service().call('post', '/auth/login', { headers, body: { email: freshEmail(), password } });
    for (let count = 0; count < 5; count += 1) expect((await attempt()).status).toBe(401);
    expect(await attempt()).toMatchObject(problem('rate-limited'));
  });
});

describeOwnService(
  'TRIAL_ENFORCEMENT=block with a trial that is over, and 3 logins a minute for each account',
  () => {
    const trialIsOver = { TRIAL_ENFORCEMENT: 'block', TRIAL_DAYS: '0', LOGIN_ATTEMPTS_PER_MINUTE: '3' };
    const service = withService(trialIsOver, openApi);

    test.each([
      ['text', { ...message() }],
      ['media', { to: phone(), type: 'image', url: 'https://example.com/a.png' }],
      ['bulk', { messages: [message()] }],
    ])('a %s send is 402 trial-expired', async (kind, body) => {
      const tenant = await newTenant(service());
      expect(await tenant.send(`whatsapp/${kind}`, body)).toMatchObject(problem('trial-expired'));
    });

    test('reading goes on working', async () => {
      const tenant = await newTenant(service());
      expect((await tenant.get('/auth/me')).status).toBe(200);
      expect((await tenant.get('/v1/webhooks')).status).toBe(200);
      expect(await tenant.message('msg_none')).toMatchObject(problem('not-found'));
    });

    const login = (email: string, secret: string) =>
      service().call('post', '/auth/login', { body: { email, password: secret } });

    test('the fourth login of an account is 429 with Retry-After, even with the right password', async () => {
      const { email } = await newTenant(service());
      for (let count = 0; count < 3; count += 1) {
        expect(await login(email, 'a wrong one')).toMatchObject(problem('invalid-credentials'));
      }
      const response = await login(email, password);
      expect(response).toMatchObject(problem('rate-limited'));
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(60);
    });

    test('an unknown email is slowed the same way', async () => {
      const email = freshEmail();
      for (let count = 0; count < 3; count += 1) await login(email, password);
      expect(await login(email, password)).toMatchObject(problem('rate-limited'));
    });

    const change = (tenant: Tenant, currentPassword: string) =>
      tenant.post('/auth/password', { currentPassword, newPassword: password });

    test('within a session the password can be given while strangers use up the logins of the account', async () => {
      const tenant = await newTenant(service());
      for (let count = 0; count < 4; count += 1) await login(tenant.email, 'a wrong one');
      expect((await change(tenant, password)).status).toBe(204);
    });

    test('within a session the password is not to be guessed without limit', async () => {
      const tenant = await newTenant(service());
      for (let count = 0; count < 3; count += 1) {
        expect(await change(tenant, 'a wrong one')).toMatchObject(problem('invalid-credentials'));
      }
      expect(await change(tenant, 'a wrong one')).toMatchObject(problem('rate-limited'));
    });

    test('other accounts are not slowed by one', async () => {
      const slowed = freshEmail();
      for (let count = 0; count < 4; count += 1) await login(slowed, password);
      const { email } = await newTenant(service());
      expect((await login(email, password)).status).toBe(200);
    });
  },
);
