import { failExpired } from '@notify/db/messages';
import { sql } from 'kysely';
import { type Caller, messagingApp, type MessagingApp } from './messaging-app.ts';
import { synchronise, template, templated } from './templated-provider.ts';

/** Templates in bulk calls, by hand and sent again. */

let service: MessagingApp;
beforeAll(async () => {
  service = await messagingApp();
});
afterAll(() => service[Symbol.asyncDispose]());

const to = '+15550001000';
const shipped = { name: 'shipped', language: 'en', parameters: { body: ['Ada', 'A-7'] } };
const shown = { template: shipped, text: 'Hi Ada, order A-7 left.' };

async function connected(): Promise<Caller & { readonly accountId: string }> {
  const own = await service.tenant({ sandbox: false });
  const { body } = await own
    .manage('post', '/v1/channel-accounts', { provider: templated.id, name: 'Shop', settings: {} })
    .expect(201);
  await synchronise(service.db, body.id, [template('shipped')]);
  return { ...own, accountId: body.id };
}

describe('in a bulk call', () => {
  test('each item has a text or a template, and a template that cannot be sent fails alone', async () => {
    const own = await connected();
    const messages = [
      { to, text: 'hello' },
      { to, template: shipped },
      { to, template: { ...shipped, name: 'none' } },
      { to, template: { ...shipped, parameters: { body: ['Ada'] } } },
      { to: '12', template: shipped },
    ];
    const { body } = await own.notify('post', '/whatsapp/bulk', { messages }).expect(202);
    expect(body).toMatchObject([
      { type: 'text', status: 'queued', body: { text: 'hello' } },
      { type: 'template', status: 'queued', body: shown },
      {
        type: 'template',
        status: 'failed',
        errorCode: 'template-not-found',
        error: 'The account has no template none.',
      },
      {
        type: 'template',
        status: 'failed',
        errorCode: 'template-parameters-invalid',
        error: 'parameters/body/1 is required: it fills {{2}}',
      },
      { type: 'template', status: 'failed', errorCode: 'invalid-recipient' },
    ]);
    const failed = await own.notify('get', `/messages/${body[3].id}`).expect(200);
    expect(failed.body).toMatchObject({ errorCode: 'template-parameters-invalid', body: { template: {} } });
  });

  test.each([
    ['neither', {}, 'body/messages/1/text'],
    ['both', { text: 'x', template: shipped }, 'body/messages/1/template'],
    [
      'an unknown field in a template',
      { template: { ...shipped, lang: 'en' } },
      'body/messages/1/template/lang',
    ],
    [
      'a header whose URL is none',
      { template: { ...shipped, parameters: { header: { image: { url: 'x' } } } } },
      'body/messages/1/template/parameters/header/image/url',
    ],
  ])('an item with %s fails the call', async (_what, item, at) => {
    const own = await connected();
    const messages = [
      { to, template: shipped },
      { to, ...item },
    ];
    const { body } = await own.notify('post', '/whatsapp/bulk', { messages }).expect(422);
    expect(body).toMatchObject({ code: 'invalid-request', errors: [{ at }] });
    const { rows } = await sql`select from messages where tenant_id = ${own.tenantId}`.execute(service.db);
    expect(rows).toEqual([]);
  });
});

describe('by hand', () => {
  test.each([
    ['a template', { template: shipped }, { type: 'template', body: shown }],
    ['a text', { text: 'hello' }, { type: 'text', body: { text: 'hello' } }],
    [
      'a file',
      { type: 'document', url: 'https://example.com/a.pdf', filename: 'a.pdf' },
      {
        type: 'document',
        body: { type: 'document', url: 'https://example.com/a.pdf', caption: null, filename: 'a.pdf' },
      },
    ],
  ])('%s is sent', async (_what, content, expected) => {
    const own = await connected();
    const { body } = await own
      .manage('post', '/v1/messages', { channel: 'whatsapp', to, ...content })
      .expect(202);
    expect(body).toMatchObject(expected);
  });

  test.each([
    ['nothing', {}, 'invalid-request', ['body/text']],
    ['two contents', { text: 'x', template: shipped }, 'invalid-request', ['body/template']],
    ['a text with a caption', { text: 'x', caption: 'y' }, 'invalid-request', ['body/caption']],
    ['a template with a URL', { template: shipped, url: 'https://a.b' }, 'invalid-request', ['body/url']],
    ['a file without a URL', { type: 'image' }, 'media-url-required', ['body/url']],
    ['an unknown template', { template: { ...shipped, name: 'x' } }, 'template-not-found', undefined],
  ])('%s is refused', async (_what, content, code, at) => {
    const own = await connected();
    const { body } = await own
      .manage('post', '/v1/messages', { channel: 'whatsapp', to, ...content })
      .expect(422);
    expect([body.code, body.errors?.map((error: { at: string }) => error.at)]).toEqual([code, at]);
  });

  test('a file by sms is refused before anything else about it', async () => {
    const own = await connected();
    const { body } = await own
      .manage('post', '/v1/messages', { channel: 'sms', to, type: 'image' })
      .expect(422);
    expect(body.code).toBe('media-not-supported');
  });
});

describe('sent again', () => {
  async function failed(own: Caller): Promise<string> {
    const { body } = await own.notify('post', '/whatsapp/template', { to, template: shipped }).expect(202);
    await sql`update dispatch_due set expires_at = now() where message_id = ${body.id.slice(4)}::uuid`.execute(
      service.db,
    );
    await failExpired(service.db, 10);
    return body.id;
  }

  test('a template keeps its content', async () => {
    const own = await connected();
    const id = await failed(own);
    const { body } = await own.manage('post', `/v1/messages/${id}/resend`, {}).expect(202);
    expect(body).toMatchObject({ type: 'template', status: 'queued', body: shown, resendOf: id });
    const again = await own.manage('post', `/v1/messages/${id}/resend`, {}).expect(202);
    expect(again.body).toMatchObject({ id: body.id, body: shown });
  });

  test('a template that was paused meanwhile is refused', async () => {
    const own = await connected();
    const id = await failed(own);
    await synchronise(service.db, own.accountId, [template('shipped', { status: 'paused' })]);
    const elsewhere = own.through(await service.another());
    const { body } = await elsewhere.manage('post', `/v1/messages/${id}/resend`, {}).expect(422);
    expect(body).toMatchObject({ code: 'template-not-approved' });
  });
});

test('a revoked key learns nothing of templates', async () => {
  const own = await connected();
  await own.notify('post', '/whatsapp/template', { to, template: shipped }).expect(202);
  await service.db
    .updateTable('api_keys')
    .set({ revoked_at: new Date() })
    .where('id', '=', own.keyId)
    .execute();
  for (const name of ['shipped', 'none']) {
    const { body } = await own
      .notify('post', '/whatsapp/template', { to, template: { ...shipped, name } })
      .expect(401);
    expect(body.code).toBe('invalid-api-key');
  }
});
