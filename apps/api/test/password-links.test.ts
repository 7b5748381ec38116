import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { migrate } from '@notify/db/maintenance';
import { createLog } from '@notify/runtime';
import {
  freePort,
  makeTenant,
  openTestDb,
  type SmtpReceiver,
  startOwnPostgres,
  startSmtpReceiver,
} from '@notify/testkit';
import { sql } from 'kysely';
import request from 'supertest';
import { mailForgotten, mailsSettled } from '../src/mail/link-mails.ts';
import { type Mailer, type MailerOptions, openMailer } from '../src/mail/mailer.ts';
import { password, register, type Registered, type TestApi, testApi } from './test-api.ts';

const publicUrl = 'https://notify.example.com';
const newPassword = 'battery staple horse';
let smtp: SmtpReceiver;
let mailer: Mailer;
let api: TestApi;

beforeAll(async () => {
  smtp = await startSmtpReceiver();
  mailer = mailerFor(smtp.url);
  api = await testApi({ publicUrl, loginAttemptsPerMinute: 1_000, loginAttemptsPerAddress: 1_000 }, mailer);
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await mailer.close();
  await smtp.close();
});

function mailerFor(url: string, more: Partial<MailerOptions> = {}): Mailer {
  const log = createLog({ logLevel: 'silent' }, 'api');
  return openMailer({ url, from: 'no-reply@example.com', log, waitsMs: [], ...more });
}

const forgot = (email: string, to = api) => request(to.app).post('/auth/password/forgot').send({ email });
const reset = (token: string, wanted = newPassword, app = api.app) =>
  request(app).post('/auth/password/reset').send({ token, newPassword: wanted });
const login = (email: string, secret: string) =>
  request(api.app).post('/auth/login').send({ email, password: secret });
const links = (tenant: Registered) =>
  api.database.db
    .selectFrom('one_time_links')
    .selectAll()
    .where('tenant_id', '=', tenant.id.replace('ten_', ''))
    .execute();
const tenantRow = (tenant: Registered) =>
  api.database.db
    .selectFrom('tenants')
    .selectAll()
    .where('id', '=', tenant.id.replace('ten_', ''))
    .executeTakeFirstOrThrow();

/** Asks for a link, and takes its token from the mail. */
async function tokenFor(tenant: Registered): Promise<string> {
  await forgot(tenant.email).expect(202);
  return tokenIn(await smtp.next(tenant.email));
}

function tokenIn({ text }: { readonly text: string }): string {
  const [, token = ''] = /https:\/\/notify\.example\.com\/[\w-]+#(lnk_[\w-]{43})/.exec(text) ?? [];
  expect(token).not.toBe('');
  return token;
}

describe('a forgotten password', () => {
  test('a mail leads to a new password; of the token only a hash is stored', async () => {
    const tenant = await register(api.app);
    const token = await tokenFor(tenant);
    const [link] = await links(tenant);
    expect(link).toMatchObject({ purpose: 'password', emailed: true });
    expect(link!.hash).toEqual(createHash('sha256').update(token).digest());
    expect(link!.expires_at.getTime() - link!.created_at.getTime()).toBe(3_600_000);
    await reset(token).expect(204, '');
    await login(tenant.email, newPassword).expect(200);
    await login(tenant.email, password).expect(401);
  });

  test('the new password ends every session, in every process', async () => {
    const tenant = await register(api.app);
    const another = await api.another();
    const me = () => request(another).get('/auth/me').set('Authorization', tenant.bearer);
    await me().expect(200);
    await reset(await tokenFor(tenant)).expect(204);
    await me().expect(401);
    const cookie = `svc_refresh=${tenant.refreshToken}`;
    await request(another).post('/auth/refresh').set('Cookie', cookie).expect(401);
  });

  test('a token works once, however many requests race over however many processes', async () => {
    const tenant = await register(api.app);
    const token = await tokenFor(tenant);
    const apps = [api.app, await api.another()];
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => reset(token, `${newPassword} ${index}`, apps[index % 2])),
    );
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(5);
    const won = answers.findIndex(({ status }) => status === 204);
    await login(tenant.email, `${newPassword} ${won}`).expect(200);
  });

  test('one used link ends the others; so does a changed password', async () => {
    const tenant = await register(api.app);
    const [first, second] = [await tokenFor(tenant), await tokenFor(tenant)];
    await reset(first).expect(204);
    await reset(second).expect(422);
    const other = await register(api.app);
    const late = await tokenFor(other);
    await request(api.app)
      .post('/auth/password')
      .set('Authorization', other.bearer)
      .send({ currentPassword: password, newPassword })
      .expect(204);
    await reset(late, 'yet another horse').expect(422);
  });

  test('an expired token is refused like an unknown one', async () => {
    const tenant = await register(api.app);
    const token = await tokenFor(tenant);
    await api.database.db
      .updateTable('one_time_links')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('tenant_id', '=', tenant.id.replace('ten_', ''))
      .execute();
    const [expired, unknown] = [await reset(token), await reset(`lnk_${'x'.repeat(43)}`)];
    const { requestId: _one, ...problem } = expired.body;
    const { requestId: _other, ...same } = unknown.body;
    expect(problem).toMatchObject({ code: 'invalid-request', errors: [{ at: 'body/token' }] });
    expect(same).toEqual(problem);
    await login(tenant.email, password).expect(200);
  });

  test('a weak password is refused at its field, and the link still works', async () => {
    const tenant = await register(api.app);
    const token = await tokenFor(tenant);
    for (const weak of ['password1', tenant.email, 'x'.repeat(73)]) {
      const { body } = await reset(token, weak).expect(422);
      expect(body.errors[0].at).toBe('body/newPassword');
    }
    await reset(token).expect(204);
  });

  test('an email address that nobody registered gets the same response, and no mail', async () => {
    const tenant = await register(api.app);
    const [known, unknown] = [await forgot(tenant.email), await forgot('nobody@example.com')];
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
    expect(known.body).toEqual({ delivery: 'email' });
    await smtp.next(tenant.email);
    expect(smtp.mails.some(({ to }) => to.includes('nobody@example.com'))).toBe(false);
  });

  test('the response waits for nothing: neither the database nor the mail server', async () => {
    const stuck = await startSmtpReceiver();
    stuck.behave({ mute: true });
    const held = mailerFor(stuck.url, { attemptWithinMs: 120_000 });
    await using slow = await testApi({ publicUrl }, held);
    const tenant = await register(slow.app);
    // The server says nothing for longer than this test may take.
    await forgot(tenant.email, slow).expect(202);
    await slow.database.db.transaction().execute(async (trx) => {
      await sql`lock table one_time_links in access exclusive mode`.execute(trx);
      await forgot(tenant.email, slow).expect(202);
    });
    await stuck.close();
    await held.close();
  });

  test('a mail server that is away changes no response', async () => {
    const away = mailerFor(`smtp://127.0.0.1:${await freePort()}`);
    await using service = await testApi({ publicUrl }, away);
    const tenant = await register(service.app);
    await forgot(tenant.email, service).expect(202, { delivery: 'email' });
    await mailsSettled(service.parts.linkMails);
    await away.close();
  });

  test('the case of the address does not matter, and the mail goes to the registered one', async () => {
    const tenant = await register(api.app);
    await forgot(tenant.email.toUpperCase()).expect(202);
    expect((await smtp.next(tenant.email)).to).toEqual([tenant.email]);
  });

  test('a mailbox gets three mails an hour; further requests get the same response', async () => {
    const tenant = await register(api.app);
    const answers = await Promise.all(Array.from({ length: 8 }, () => forgot(tenant.email)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    for (let count = 0; count < 3; count += 1) await smtp.next(tenant.email);
    await mailsSettled(api.parts.linkMails);
    expect(await links(tenant)).toHaveLength(3);
  });

  test('one client address may ask for a few only', async () => {
    await using strict = await testApi({ publicUrl, loginAttemptsPerMinute: 2 }, mailer);
    await forgot('a@example.com', strict).expect(202);
    await forgot('b@example.com', strict).expect(202);
    const { body, headers } = await forgot('c@example.com', strict).expect(429);
    expect(body.code).toBe('rate-limited');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });

  test('without a mail server the operator is the one to ask, and no link is made', async () => {
    await using mute = await testApi();
    const tenant = await register(mute.app);
    await forgot(tenant.email, mute).expect(202, { delivery: 'operator' });
    await mailsSettled(mute.parts.linkMails);
    expect(await mute.database.db.selectFrom('one_time_links').selectAll().execute()).toEqual([]);
  });

  test('the mail names nothing that the tenant wrote, and leads to PUBLIC_URL whatever the Host header', async () => {
    const email = 'careful@example.com';
    const name = 'Click https://evil.example';
    await request(api.app).post('/auth/register').send({ name, email, password }).expect(200);
    await forgot(email).set('Host', 'evil.example').expect(202);
    const mail = await smtp.next(email);
    expect(mail.raw).not.toContain('evil');
    tokenIn(mail);
  });

  test('a link that was used also proves that its tenant reads the mail', async () => {
    const tenant = await register(api.app);
    await reset(await tokenFor(tenant)).expect(204);
    expect((await tenantRow(tenant)).email_verified_at).toBeInstanceOf(Date);
  });
});

describe('EMAIL_VERIFICATION=required', () => {
  let strict: TestApi;
  beforeAll(async () => {
    strict = await testApi(
      { publicUrl, emailVerification: 'required', loginAttemptsPerAddress: 1_000 },
      mailer,
    );
  });
  afterAll(() => strict[Symbol.asyncDispose]());

  const profile = async (tenant: Registered, app = strict.app) =>
    (await request(app).get('/auth/me').set('Authorization', tenant.bearer).expect(200)).body;
  const message = { to: '+15550001000', text: 'x' };

  async function newKey(tenant: Registered): Promise<string> {
    const made = await request(strict.app)
      .post('/tenant/api-keys')
      .set('Authorization', tenant.bearer)
      .send({ name: 'test' })
      .expect(201);
    return made.body.key;
  }
  const send = (key: string, app = strict.app) =>
    request(app).post('/v1/notify/sms/text').set('X-Api-Key', key).send(message);
  const verify = (token: string) => request(strict.app).post('/auth/email/verify').send({ token });

  test('sends are 403 until the link is opened, by key and by session; then at once 202, in every process', async () => {
    const tenant = await register(strict.app);
    const key = await newKey(tenant);
    const another = await strict.another();
    expect((await profile(tenant)).emailVerification).toBe('required');
    for (const app of [strict.app, another]) {
      const { body } = await send(key, app).expect(403);
      expect(body).toMatchObject({ code: 'forbidden', detail: expect.stringContaining('email address') });
    }
    const own = () =>
      request(strict.app)
        .post('/v1/messages')
        .set('Authorization', tenant.bearer)
        .send({ channel: 'sms', ...message });
    expect((await own().expect(403)).body.code).toBe('forbidden');
    const bulk = { messages: [message] };
    await request(strict.app).post('/v1/notify/sms/bulk').set('X-Api-Key', key).send(bulk).expect(403);
    const token = tokenIn(await smtp.next(tenant.email));
    await verify(token).expect(204, '');
    expect((await profile(tenant)).emailVerification).toBe('done');
    for (const app of [strict.app, another]) await send(key, app).expect(202);
    await own().expect(202);
  });

  test('the token works once, and only for this', async () => {
    const tenant = await register(strict.app);
    const token = tokenIn(await smtp.next(tenant.email));
    await reset(token, newPassword, strict.app).expect(422);
    await verify(token).expect(204);
    const { body } = await verify(token).expect(422);
    expect(body).toMatchObject({ code: 'invalid-request', errors: [{ at: 'body/token' }] });
  });

  test('reading works before', async () => {
    const tenant = await register(strict.app);
    const key = await newKey(tenant);
    const path = `/v1/notify/messages/msg_${crypto.randomUUID()}`;
    await request(strict.app).get(path).set('X-Api-Key', key).expect(404);
  });

  test('another mail on request, three an hour in all', async () => {
    const tenant = await register(strict.app);
    await mailsSettled(strict.parts.linkMails);
    const again = () =>
      request(strict.app).post('/auth/email/verification').set('Authorization', tenant.bearer);
    await smtp.next(tenant.email);
    await again().expect(202, { delivery: 'email' });
    await verify(tokenIn(await smtp.next(tenant.email))).expect(204);
    await again().expect(202);
    const other = await register(strict.app);
    await mailsSettled(strict.parts.linkMails);
    const otherAgain = () =>
      request(strict.app).post('/auth/email/verification').set('Authorization', other.bearer);
    await otherAgain().expect(202);
    await otherAgain().expect(202);
    expect((await otherAgain().expect(429)).body.code).toBe('rate-limited');
  });

  test('a tenant that is deleted and made again and again gets three mails, not more', async () => {
    const email = 'again@example.com';
    for (let count = 0; count < 5; count += 1) {
      const made = await request(strict.app)
        .post('/auth/register')
        .send({ name: 'Again', email, password })
        .expect(200);
      await mailsSettled(strict.parts.linkMails);
      await request(strict.app)
        .delete('/auth/me')
        .set('Authorization', `Bearer ${made.body.data.accessToken}`)
        .send({ password })
        .expect(204);
    }
    for (let count = 0; count < 3; count += 1) await smtp.next(email);
    expect(smtp.mails.filter(({ to }) => to.includes(email))).toHaveLength(3);
  });

  test('off, the default, asks for nothing and mails nothing', async () => {
    const tenant = await register(api.app);
    await mailsSettled(api.parts.linkMails);
    expect((await profile(tenant, api.app)).emailVerification).toBe('off');
    expect(await links(tenant)).toEqual([]);
  });
});

test('a mail that was asked for while the database is away is sent when it is back', async () => {
  const server = await startOwnPostgres();
  const db = openTestDb(server.url);
  try {
    await migrate(db);
    const { tenantId } = await makeTenant(db);
    const email = 'away@example.com';
    await db.updateTable('tenants').set({ email }).where('id', '=', tenantId).execute();
    await server.stop();
    const mails = { ...api.parts.linkMails, db };
    mailForgotten(mails, email);
    await delay(300);
    expect(mails.background.size).toBe(1);
    await server.start();
    expect(tokenIn(await smtp.next(email))).not.toBe('');
  } finally {
    await db.destroy();
    await server.remove();
  }
});
