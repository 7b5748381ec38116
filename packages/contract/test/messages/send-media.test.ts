import { badRequired, badSharedFields, badString, changed, tooLong } from '../suite/bad-fields.ts';
import { problem } from '../suite/problem.ts';
import { newTenant, type Tenant } from '../suite/tenant.ts';
import { emoji, id, phone, recipient, timestamp, uuid } from '../suite/values.ts';

const url = 'https://example.com/files/a.png';
const good = { to: phone(), type: 'image', url };
const types = ['image', 'video', 'audio', 'document'];

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});

describe.each(['whatsapp', 'telegram'] as const)('POST /v1/notify/%s/media', (channel) => {
  test.each(types)('answers 202 with the Message for %s', async (type) => {
    const to = recipient(channel);
    const response = await tenant.send(`${channel}/media`, { to, type, url });
    expect(response.status).toBe(202);
    expect(response.body).toMatchObject({
      id: id('msg'),
      tenantId: tenant.id,
      provider: channel,
      to,
      type,
      status: 'queued',
      createdAt: timestamp,
      channelAccountId: uuid,
    });
    expect(response.body.body).toEqual({ type, url, caption: null });
  });

  test('tells caption and filename when they are given', async () => {
    const more = { caption: 'a picture', filename: 'a.png' };
    const response = await tenant.send(`${channel}/media`, {
      to: recipient(channel),
      type: 'document',
      url,
      ...more,
    });
    expect(response.body.body).toEqual({ type: 'document', url, ...more });
  });
});

describe('a media send', () => {
  test.each([
    ['an http URL', { url: 'http://example.com/a.png' }],
    ['a caption of 1024 emoji', { caption: emoji.repeat(1_024) }],
    ['a filename of 255 emoji', { filename: emoji.repeat(255) }],
    ['an expiresInSeconds of 30', { expiresInSeconds: 30 }],
    [
      'null for every optional field',
      { caption: null, filename: null, channelAccountId: null, idempotencyKey: null, expiresInSeconds: null },
    ],
  ])('may have %s', async (_what, change) => {
    expect((await tenant.send('whatsapp/media', { ...good, ...change })).status).toBe(202);
  });

  test.each([
    ...badSharedFields,
    ...badRequired('type'),
    ['an unknown type', { type: 'sticker' }, 'type'] as const,
    ['the type of a text', { type: 'text' }, 'type'] as const,
    ['a type in upper case', { type: 'IMAGE' }, 'type'] as const,
    ['an inherited name as type', { type: 'constructor' }, 'type'] as const,
    ...badString('url'),
    ['an empty url', { url: '' }, 'url'] as const,
    ['a url that is none', { url: 'a.png' }, 'url'] as const,
    ['a url without a host', { url: 'https://' }, 'url'] as const,
    ['a url that is too long', { url: `https://example.com/${'x'.repeat(2_048)}` }, 'url'] as const,
    ['an ftp url', { url: 'ftp://example.com/a.png' }, 'url'] as const,
    ['a file url', { url: 'file:///etc/passwd' }, 'url'] as const,
    ['a data url', { url: 'data:image/png;base64,AAAA' }, 'url'] as const,
    ['a javascript url', { url: 'javascript:alert(1)' }, 'url'] as const,
    ...badString('caption'),
    ...tooLong('caption', 1_024),
    ...badString('filename'),
    ...tooLong('filename', 255),
    ...['\u0001', '\t', '\r\n', '\u001f', '\u007f', '\u0085', '\u2028'].map(
      (control) =>
        [`${JSON.stringify(control)} in its filename`, { filename: `a${control}.pdf` }, 'filename'] as const,
    ),
    ['a field of a text send', { text: 'hello' }, 'text'] as const,
  ])('with %s is refused, naming the field', async (_what, change, at) => {
    expect(await tenant.send('whatsapp/media', changed(good, change))).toMatchObject(
      problem('invalid-request', at),
    );
  });

  test('says of a filename with control characters what is wrong', async () => {
    const { body } = await tenant.send('whatsapp/media', { ...good, filename: 'a\u0001.pdf' });
    expect(body.errors).toEqual([{ at: 'body/filename', message: 'must not contain control characters' }]);
  });

  test.each([
    ['no url', { url: undefined }],
    ['a url of null', { url: null }],
  ])('with %s asks for one', async (_what, change) => {
    expect(await tenant.send('whatsapp/media', { ...good, ...change })).toMatchObject(
      problem('media-url-required', 'body/url'),
    );
  });
});

describe('POST /v1/notify/sms/media', () => {
  test.each([
    ['a good request', good],
    ['a request without url', { ...good, url: undefined }],
    ['a request of wrong types', { to: 7, type: 'sticker', more: true }],
    ['an empty object', {}],
    ['an array', []],
  ])('refuses %s, for the channel takes no media', async (_what, body) => {
    expect(await tenant.send('sms/media', body)).toMatchObject(problem('media-not-supported'));
  });

  test('says so before the body is read, and after the key', async () => {
    const call = (apiKey: string) =>
      tenant.service.call('post', '/v1/notify/sms/media', { apiKey, raw: '{' });
    expect(await call(tenant.apiKey)).toMatchObject(problem('media-not-supported'));
    expect(await call('wrong')).toMatchObject(problem('invalid-api-key'));
  });
});
