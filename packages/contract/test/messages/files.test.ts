import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { describeOwnService } from '../suite/describe-own-service.ts';
import { openService, type OwnService } from '../suite/own-service.ts';
import { problem } from '../suite/problem.ts';
import { newKey, newTenant, type Tenant } from '../suite/tenant.ts';
import { until } from '../suite/until.ts';
import { id, phone, timestamp } from '../suite/values.ts';

const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
  Buffer.alloc(300, 7),
]);
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Record<string, unknown> & { id: string };
}

/** Uploads as a program does; by default a picture with the tenant's key. */
async function upload(
  body: NonNullable<RequestInit['body']> = png,
  headers: Record<string, string> = {},
  apiKey: string = tenant.apiKey,
  origin: string = tenant.service.url,
): Promise<Answer> {
  const url = `${origin}/v1/notify/files`;
  const response = await fetch(url, { method: 'POST', headers: { 'x-api-key': apiKey, ...headers }, body });
  const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
  return { status: response.status, type, body: (await response.json()) as Answer['body'] };
}

/** A form with the boundary `x-y`, and its header. */
function formOf(parts: string): [string, Record<string, string>] {
  return [parts.replaceAll('\n', '\r\n'), { 'content-type': 'multipart/form-data; boundary=x-y' }];
}

const mediaOf = (fileId: string, changes: object = {}) => ({
  to: phone(),
  type: 'image',
  fileId,
  ...changes,
});
const get = (fileId: string) =>
  tenant.service.call('get', `/v1/notify/files/${fileId}`, { apiKey: tenant.apiKey });
const remove = (fileId: string, apiKey = tenant.apiKey) =>
  tenant.service.call('delete', `/v1/notify/files/${fileId}`, { apiKey });

describe('POST /v1/notify/files', () => {
  test('answers 201 with what the file is, by its bytes', async () => {
    const headers = {
      'content-type': 'image/png',
      'content-disposition': `attachment; filename="a \\"b\\".png"`,
    };
    const { status, body } = await upload(png, headers);
    expect([status, body]).toEqual([
      201,
      {
        id: id('file'),
        type: 'image/png',
        bytes: png.length,
        sha256: sha256(png),
        filename: 'a "b".png',
        createdAt: timestamp,
        expiresAt: timestamp,
      },
    ]);
    const day = Date.parse(String(body['expiresAt'])) - Date.parse(String(body['createdAt']));
    expect(Math.round(day / 3_600_000)).toBe(24);
    const read = await get(body.id);
    expect([read.status, read.body]).toEqual([200, body]);
  });

  test.each([1, 4_100, 262_144, 5 * 1_048_576 - 1, 16 * 1_048_576])('takes %i bytes', async (length) => {
    const bytes = Buffer.alloc(length, 'files ');
    const { status, body } = await upload(bytes);
    expect([status, body['bytes'], body['sha256']]).toEqual([201, length, sha256(bytes)]);
    expect((await remove(body.id)).status).toBe(204);
  });

  test('takes a chunked body without a length', async () => {
    const chunks = Array.from({ length: 40 }, (_, at) => Buffer.alloc(at * 1_000 + 1, at));
    const sending = httpRequest(`${tenant.service.url}/v1/notify/files`, {
      method: 'POST',
      headers: { 'x-api-key': tenant.apiKey, 'transfer-encoding': 'chunked' },
    });
    const answered = once(sending, 'response');
    for (const chunk of chunks) sending.write(chunk);
    sending.end();
    const [response] = (await answered) as [AsyncIterable<Buffer>];
    const body = JSON.parse(Buffer.concat(await Array.fromAsync(response)).toString()) as Answer['body'];
    expect(body['sha256']).toBe(sha256(Buffer.concat(chunks)));
  });

  test.each([
    [`attachment; filename*=UTF-8''na%C3%AFve%20%E2%82%AC.pdf`, 'naïve €.pdf'],
    [`attachment; filename="x.pdf"; filename*=utf-8'en'y.pdf`, 'y.pdf'],
    ['inline; filename=plain.pdf', 'plain.pdf'],
    [`attachment; filename="C:\\\\temp\\\\a.pdf"`, 'a.pdf'],
    [`attachment; filename="../../etc/passwd"`, 'passwd'],
    ['attachment', null],
    [`attachment; filename=""`, null],
  ])('reads the name of %s', async (disposition, filename) => {
    const { body } = await upload('x', { 'content-disposition': disposition });
    expect(body['filename']).toBe(filename);
  });

  test('takes the field file of a form', async () => {
    const form = new FormData();
    form.set('file', new File([png], 'ticket.png', { type: 'image/png' }));
    const { status, body } = await upload(form);
    expect([status, body['filename'], body['sha256']]).toEqual([201, 'ticket.png', sha256(png)]);
  });

  test.each(['--x', '\r\n--x', '--x-y\r\n', '\r\n', '-'])(
    'keeps the bytes %j of a file in a form',
    async (text) => {
      const file = `a${text}`;
      const head = '--x-y\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
      const answer = await upload(`${head}${file}\r\n--x-y--`, formOf('')[1]);
      expect(answer.body['sha256']).toBe(sha256(Buffer.from(file)));
    },
  );

  const part = '--x-y\nContent-Disposition: form-data; name="file"; filename="a"\n\nabc\n';
  test.each([
    ['without a boundary', 'abc', 'multipart/form-data', 'body'],
    ['of another boundary', part.replaceAll('x-y', 'other'), null, 'body'],
    ['without an end', part, null, 'body'],
    ['without a file', '--x-y--\n', null, 'body/file'],
    ['with another field', `${part.replace('"file"', '"data"')}--x-y--\n`, null, 'body/data'],
    [
      'with a second field',
      `${part}--x-y\nContent-Disposition: form-data; name="a"\n\nb\n--x-y--\n`,
      null,
      'body/a',
    ],
    ['with two files', `${part}${part}--x-y--\n`, null, 'body'],
  ])('refuses a form %s', async (_what, text, type, at) => {
    const [body, headers] = formOf(text);
    const answer = await upload(body, type === null ? headers : { 'content-type': type });
    expect(answer).toMatchObject(problem('invalid-request', at));
  });

  test.each([
    ['an empty file', '', {}, problem('invalid-request', 'body')],
    [
      'a text that calls itself a picture',
      'GIF?',
      { 'content-type': 'image/png' },
      problem('invalid-request', 'header/content-type'),
    ],
    [
      'a name with a control character',
      'x',
      { 'content-disposition': `attachment; filename*=UTF-8''a%00` },
      problem('invalid-request', 'header/content-disposition'),
    ],
    ['a compressed file', 'x', { 'content-encoding': 'gzip' }, problem('unsupported-media-type')],
  ])('refuses %s', async (_what, body, headers, expected) => {
    const answer = await upload(body, headers);
    expect(answer).toMatchObject(expected);
  });

  test('refuses a file that is too large, with and without a length', async () => {
    const bytes = Buffer.alloc(16 * 1_048_576 + 1);
    const chunked = new Blob([bytes]).stream();
    const answers = [
      await upload(bytes),
      await fetch(`${tenant.service.url}/v1/notify/files`, {
        method: 'POST',
        headers: { 'x-api-key': tenant.apiKey },
        body: chunked,
        duplex: 'half',
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([413, 413]);
    expect(answers[0]).toMatchObject(problem('too-large'));
  });

  test('needs the scope send', async () => {
    const reader = await newKey(tenant.service, tenant.accessToken, 100, { scopes: ['read'] });
    expect((await upload(png, {}, reader)).status).toBe(403);
  });
});

describe('a file', () => {
  test('of another key or tenant is unknown, and a rotated key inherits it', async () => {
    const { body: file } = await upload();
    const [sibling, other] = [await newKey(tenant.service, tenant.accessToken), (await newTenant()).apiKey];
    for (const apiKey of [sibling, other]) {
      const path = `/v1/notify/files/${file.id}`;
      expect((await tenant.service.call('get', path, { apiKey })).status).toBe(404);
      expect((await remove(file.id, apiKey)).status).toBe(404);
      const sent = await tenant.service.call('post', '/v1/notify/whatsapp/media', {
        apiKey,
        body: mediaOf(file.id),
      });
      expect(sent).toMatchObject(problem('file-not-found', 'body/fileId'));
    }
    const owner = await newTenant();
    const made = await upload(png, {}, owner.apiKey);
    const [key] = (await owner.get('/tenant/api-keys')).body as { id: string }[];
    const rotated = await owner.post(`/tenant/api-keys/${key!.id}/rotate`);
    const heir = { apiKey: rotated.body.key as string, body: mediaOf(made.body.id) };
    expect((await owner.service.call('post', '/v1/notify/whatsapp/media', heir)).status).toBe(202);
  });

  test('is sent in place of a URL, which reads then show as null', async () => {
    const { body: file } = await upload(png, { 'content-disposition': 'attachment; filename=a.png' });
    const sent = await tenant.send('telegram/media', { ...mediaOf(file.id), to: '4711', caption: 'A' });
    const body = { type: 'image', url: null, fileId: file.id, caption: 'A', filename: 'a.png' };
    expect([sent.status, sent.body.body]).toEqual([202, body]);
    expect((await tenant.message(sent.body.id)).body.body).toEqual(body);
  });

  test('is kept while a message waits for it', async () => {
    const { body: file } = await upload();
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    const sent = await tenant.send('whatsapp/media', mediaOf(file.id, { sendAt }));
    expect(sent.status).toBe(202);
    expect((await get(file.id)).body.expiresAt).toBeNull();
    const refused = await remove(file.id);
    expect(refused).toMatchObject(problem('file-in-use'));
    await tenant.post(`/v1/messages/${sent.body.id}/cancel`);
    expect((await remove(file.id)).status).toBe(204);
    expect([(await get(file.id)).status, (await remove(file.id)).status]).toEqual([404, 404]);
    const late = await tenant.send('whatsapp/media', mediaOf(file.id));
    expect(late).toMatchObject(problem('file-not-found'));
  });

  test('is compared by its contents and type', async () => {
    const [first, same, other] = [await upload(), await upload(), await upload(Buffer.concat([png, png]))];
    const [to, idempotencyKey] = [phone(), randomUUID()];
    const send = (fileId: string) =>
      tenant.send('whatsapp/media', { to, type: 'image', fileId, idempotencyKey });
    const sent = await send(first.body.id);
    expect((await send(same.body.id)).body.id).toBe(sent.body.id);
    const refused = await send(other.body.id);
    expect(refused).toMatchObject(problem('idempotency-key-reused'));
  });

  test.each([
    ['a url beside it', { url: 'https://example.com/a.png' }, problem('invalid-request', 'body/fileId')],
    ['another type', { type: 'audio' }, problem('invalid-request', 'body/fileId')],
  ])('is refused with %s', async (_what, changes, expected) => {
    const { body: file } = await upload();
    const answer = await tenant.send('whatsapp/media', mediaOf(file.id, changes));
    expect(answer).toMatchObject(expected);
  });

  test.each(['file_x', 'x', randomUUID(), `msg_${randomUUID()}`])(
    'that is named %s is unknown',
    async (fileId) => {
      const answer = await tenant.send('whatsapp/media', mediaOf(fileId));
      expect(answer).toMatchObject(problem('file-not-found', 'body/fileId'));
    },
  );

  test('does not go by sms, whatever else is wrong', async () => {
    const answer = await tenant.send('sms/media', { fileId: 1 });
    expect(answer).toMatchObject(problem('media-not-supported'));
  });

  test('larger than its type allows is refused by the send', async () => {
    const large = Buffer.concat([png, Buffer.alloc(5 * 1_048_576)]);
    const { body: file } = await upload(large);
    const answer = await tenant.send('whatsapp/media', mediaOf(file.id));
    expect(answer).toMatchObject(problem('invalid-request', 'body/fileId'));
    expect((await tenant.send('whatsapp/media', mediaOf(file.id, { type: 'document' }))).status).toBe(202);
  });

  test('is sent by a route of a group', async () => {
    const { body: file } = await upload();
    const media = { type: 'image', fileId: file.id };
    const routes = [
      { channel: 'sms', to: phone(), text: 'first' },
      { channel: 'whatsapp', to: phone(), media },
    ];
    expect((await tenant.send('send', { routes })).status).toBe(202);
    expect((await get(file.id)).body.expiresAt).toBeNull();
    const strange = [{ channel: 'whatsapp', to: phone(), media: { ...media, fileId: 'file_x' } }];
    const refused = await tenant.send('send', { routes: strange });
    expect(refused).toMatchObject(problem('file-not-found', 'body/routes/0/media/fileId'));
  });

  test('is sent by items of a bulk call, of which those that cannot be sent fail', async () => {
    const { body: file } = await upload();
    const media = { type: 'image', fileId: file.id };
    const messages = [
      { to: phone(), media },
      { to: phone(), media: { ...media, type: 'audio' } },
      { to: phone(), media: { ...media, fileId: 'file_x' } },
      { to: phone(), media: { type: 'image', url: 'https://example.com/a.png' } },
    ];
    const { status, body } = await tenant.send('whatsapp/bulk', { messages });
    expect([status, body]).toMatchObject([
      202,
      [
        { status: 'queued', body: { type: 'image', url: null, fileId: file.id } },
        { status: 'failed', errorCode: 'media-type-not-supported' },
        { status: 'failed', errorCode: 'file-not-found', body: { url: null } },
        { status: 'queued', body: { url: 'https://example.com/a.png' } },
      ],
    ]);
    expect(await tenant.send('sms/bulk', { messages })).toMatchObject(
      problem('media-not-supported', 'media'),
    );
    const both = [{ ...messages[0], text: 'a' }];
    expect(await tenant.send('whatsapp/bulk', { messages: both })).toMatchObject(
      problem('invalid-request', 'media'),
    );
  });

  test('of a session is sent by sessions, and by no key', async () => {
    const response = await fetch(`${tenant.service.url}/v1/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.accessToken}` },
      body: png,
    });
    const { id: fileId } = (await response.json()) as Answer['body'];
    expect((await tenant.get(`/v1/files/${fileId}`)).status).toBe(200);
    const sent = await tenant.post('/v1/messages', { channel: 'whatsapp', ...mediaOf(fileId) });
    expect([sent.status, sent.body.body.url]).toEqual([202, null]);
    expect(await tenant.send('whatsapp/media', mediaOf(fileId))).toMatchObject(
      problem('file-not-found', 'body/fileId'),
    );
  });
});

describeOwnService('with a limit of 500,000 bytes for a tenant', () => {
  let limited: OwnService;
  let owner: Tenant;
  beforeAll(async () => {
    limited = await openService({ MAX_FILE_BYTES_PER_TENANT: '500000', MAX_FILE_BYTES: '400000' });
    owner = await newTenant(limited);
  });
  afterAll(() => limited.stop());

  const uploadHere = (bytes: Buffer) => upload(bytes, {}, owner.apiKey, limited.url);

  test('an upload that is cut off half-way leaves nothing', async () => {
    for (const headers of [{ 'content-length': '390000' }, { 'transfer-encoding': 'chunked' }]) {
      const sending = httpRequest(`${limited.url}/v1/notify/files`, {
        method: 'POST',
        headers: { 'x-api-key': owner.apiKey, ...headers },
      });
      sending.on('error', () => undefined);
      await new Promise<void>((resolve) => sending.write(Buffer.alloc(300_000), () => resolve()));
      sending.destroy();
    }
    // What they left would count: together they would be over the limit.
    const answer = await until(
      () => uploadHere(Buffer.alloc(400_000)),
      ({ status }) => status === 201,
    );
    const path = `/v1/notify/files/${answer.body.id}`;
    expect((await limited.call('delete', path, { apiKey: owner.apiKey })).status).toBe(204);
  });

  test('more is refused until there is room, and so is a larger file', async () => {
    expect(await uploadHere(Buffer.alloc(400_001))).toMatchObject(problem('too-large'));
    const first = await uploadHere(Buffer.alloc(400_000));
    expect(await uploadHere(Buffer.alloc(200_000))).toMatchObject(problem('limit-reached'));
    await limited.call('delete', `/v1/notify/files/${first.body.id}`, { apiKey: owner.apiKey });
    expect((await uploadHere(Buffer.alloc(200_000))).status).toBe(201);
  });
});
