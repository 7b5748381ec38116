import { type SmtpReceiver, startSmtpReceiver } from '@notify/testkit';
import { badRequired } from '../suite/bad-fields.ts';
import { describeOwnService } from '../suite/describe-own-service.ts';
import { openApi, type OwnService } from '../suite/own-service.ts';
import { problem } from '../suite/problem.ts';
import { serviceUnderTest } from '../suite/service.ts';
import { freshEmail, newTenant, password, type Tenant } from '../suite/tenant.ts';
import { phone } from '../suite/values.ts';

const changed = 'battery staple horse';

describe('POST /auth/password/forgot', () => {
  const forgot = (body: unknown) => serviceUnderTest().call('post', '/auth/password/forgot', { body });

  test('answers 202, the same for every address', async () => {
    const { email } = await newTenant();
    const known = await forgot({ email });
    expect(known).toMatchObject({
      status: 202,
      body: { delivery: expect.stringMatching(/^(email|operator)$/) },
    });
    const unknown = await forgot({ email: freshEmail() });
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
  });

  test.each([
    ...badRequired('email'),
    ['an empty email', { email: '' }, 'email'] as const,
    ['an unknown field', { email: 'a@example.com', name: 'x' }, 'name'] as const,
  ])('refuses %s', async (_what, change, at) => {
    expect(await forgot({ email: freshEmail(), ...change })).toMatchObject(problem('invalid-request', at));
  });
});

describe.each([
  ['/auth/password/reset', { newPassword: changed }],
  ['/auth/email/verify', {}],
])('POST %s', (path, rest) => {
  const use = (body: unknown) => serviceUnderTest().call('post', path, { body });

  test('refuses a token that it never gave', async () => {
    const token = `lnk_${'x'.repeat(43)}`;
    expect(await use({ token, ...rest })).toMatchObject(problem('invalid-request', 'token'));
  });

  test.each([
    ...badRequired('token'),
    ['an empty token', { token: '' }, 'token'] as const,
    ['an unknown field', { email: 'a@example.com' }, 'email'] as const,
  ])('refuses %s', async (_what, change, at) => {
    const body = { token: 'lnk_x', ...rest, ...change };
    expect(await use(body)).toMatchObject(problem('invalid-request', at));
  });
});

describeOwnService('with SMTP_URL, and EMAIL_VERIFICATION=required', () => {
  let smtp: SmtpReceiver;
  let service: OwnService;
  beforeAll(async () => {
    smtp = await startSmtpReceiver();
    service = await openApi({
      SMTP_URL: smtp.url,
      MAIL_FROM: 'Notify <no-reply@example.com>',
      PUBLIC_URL: 'https://notify.example.com',
      EMAIL_VERIFICATION: 'required',
    });
  });
  afterAll(async () => {
    await service?.stop();
    await smtp?.close();
  });

  const login = (email: string, secret: string) =>
    service.call('post', '/auth/login', { body: { email, password: secret } });

  async function tokenFor(email: string, page: string): Promise<string> {
    const { text } = await smtp.next(email);
    const [, token = ''] = new RegExp(`https://notify\\.example\\.com/${page}#(\\S+)`).exec(text) ?? [];
    return token;
  }

  test('a new tenant verifies its address by the link in a mail; until then its sends are 403', async () => {
    const tenant = await newTenant(service);
    expect((await tenant.get('/auth/me')).body.emailVerification).toBe('required');
    const send = () => tenant.send('sms/text', { to: phone(), text: 'hello' });
    expect(await send()).toMatchObject(problem('forbidden'));
    const body = { token: await tokenFor(tenant.email, 'verify-email') };
    expect((await service.call('post', '/auth/email/verify', { body })).status).toBe(204);
    expect((await tenant.get('/auth/me')).body.emailVerification).toBe('done');
    expect((await send()).status).toBe(202);
    const again = await service.call('post', '/auth/email/verify', { body });
    expect(again).toMatchObject(problem('invalid-request', 'token'));
  });

  test('another mail comes on request', async () => {
    const tenant = await newTenant(service);
    await smtp.next(tenant.email);
    expect(await tenant.post('/auth/email/verification')).toMatchObject({
      status: 202,
      body: { delivery: 'email' },
    });
    expect(await tokenFor(tenant.email, 'verify-email')).not.toBe('');
  });

  describe('a new email address', () => {
    const change = (tenant: Tenant, email: string, secret = password) =>
      tenant.patch('/auth/me', { email, password: secret });

    test('is the tenant’s once the link in the mail to it is opened, and the old address is told', async () => {
      const tenant = await newTenant(service);
      const verification = await tokenFor(tenant.email, 'verify-email');
      const email = freshEmail();
      expect(await change(tenant, email)).toMatchObject({
        status: 200,
        body: { email: tenant.email, pendingEmail: email },
      });
      const notice = await smtp.next(tenant.email);
      expect(notice.text).toContain('change your password now');
      expect(notice.text).not.toMatch(new RegExp(`lnk_|${email}`));
      const token = await tokenFor(email, 'verify-email');
      await service.call('post', '/auth/password/forgot', { body: { email: tenant.email } });
      const reset = await tokenFor(tenant.email, 'reset-password');

      const use = (body: unknown) => service.call('post', '/auth/email/verify', { body });
      expect(
        await use({ token: token.replace(/\..*/, `.${Buffer.from('x@example.com').toString('base64url')}`) }),
      ).toMatchObject(problem('invalid-request', 'token'));
      expect((await use({ token })).status).toBe(204);
      expect((await tenant.get('/auth/me')).body).toMatchObject({ email, emailVerification: 'done' });
      expect((await login(email, password)).status).toBe(200);
      expect(await login(tenant.email, password)).toMatchObject(problem('invalid-credentials'));
      // Who reads the old mailbox can do nothing any more.
      const body = { token: reset, newPassword: changed };
      expect(await service.call('post', '/auth/password/reset', { body })).toMatchObject(
        problem('invalid-request', 'token'),
      );
      for (const old of [token, verification])
        expect(await use({ token: old })).toMatchObject(problem('invalid-request', 'token'));
    });

    test('is not taken after the password was changed, or a newer one was asked for', async () => {
      const tenant = await newTenant(service);
      const [first, second] = [freshEmail(), freshEmail()];
      await change(tenant, first);
      const earlier = await tokenFor(first, 'verify-email');
      await change(tenant, second);
      const later = await tokenFor(second, 'verify-email');
      const use = (token: string) => service.call('post', '/auth/email/verify', { body: { token } });
      expect(await use(earlier)).toMatchObject(problem('invalid-request', 'token'));
      await tenant.post('/auth/password', { currentPassword: password, newPassword: changed });
      expect(await use(later)).toMatchObject(problem('invalid-request', 'token'));
      expect((await tenant.get('/auth/me')).body.email).toBe(tenant.email);
    });

    test('that somebody registers meanwhile is theirs', async () => {
      const tenant = await newTenant(service);
      const email = freshEmail();
      await change(tenant, email);
      const token = await tokenFor(email, 'verify-email');
      await service.call('post', '/auth/register', { body: { name: 'Other', email, password } });
      const used = await service.call('post', '/auth/email/verify', { body: { token } });
      expect(used).toMatchObject(problem('email-taken'));
      expect((await tenant.get('/auth/me')).body.email).toBe(tenant.email);
    });

    test('can be asked for three times an hour', async () => {
      const tenant = await newTenant(service);
      const statuses = [];
      for (let round = 0; round < 4; round += 1) statuses.push((await change(tenant, freshEmail())).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
    });

    test('that is taken counts as asked for', async () => {
      const [tenant, other] = [await newTenant(service), await newTenant(service)];
      const statuses = [];
      for (let round = 0; round < 4; round += 1) statuses.push((await change(tenant, other.email)).status);
      expect(statuses).toEqual([409, 409, 409, 429]);
    });
  });

  test('a forgotten password is set anew by the link in a mail, once, and every session ends', async () => {
    const tenant = await newTenant(service);
    await smtp.next(tenant.email);
    const asked = await service.call('post', '/auth/password/forgot', { body: { email: tenant.email } });
    expect(asked).toMatchObject({ status: 202, body: { delivery: 'email' } });
    const token = await tokenFor(tenant.email, 'reset-password');
    const reset = (newPassword: string) =>
      service.call('post', '/auth/password/reset', { body: { token, newPassword } });
    expect(await reset('password')).toMatchObject(problem('invalid-request', 'newPassword'));
    expect((await reset(changed)).status).toBe(204);
    expect(await reset('yet another horse')).toMatchObject(problem('invalid-request', 'token'));
    expect(await tenant.get('/auth/me')).toMatchObject(problem('unauthenticated'));
    expect(await login(tenant.email, password)).toMatchObject(problem('invalid-credentials'));
    expect((await login(tenant.email, changed)).status).toBe(200);
  });
});
