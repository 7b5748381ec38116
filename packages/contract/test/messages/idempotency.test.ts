import { problem } from '../suite/problem.ts';
import { messageWhen, newTenant, sandboxAccount, type Tenant } from '../suite/tenant.ts';
import { phone } from '../suite/values.ts';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});

const text = (change: object = {}) => ({
  to: phone(),
  text: 'hello',
  idempotencyKey: crypto.randomUUID(),
  ...change,
});
const media = (change: object = {}) => ({
  to: phone(),
  type: 'image',
  url: 'https://example.com/a.png',
  idempotencyKey: crypto.randomUUID(),
  ...change,
});
const bulk = (...messages: readonly object[]) => tenant.send('sms/bulk', { messages });

describe('the header Idempotency-Key', () => {
  const sent = async (path: string, key: string, body: object) =>
    tenant.service.call('post', `/v1/notify/${path}`, {
      apiKey: tenant.apiKey,
      headers: { 'idempotency-key': key },
      body,
    });
  const withoutKey = () => ({ to: phone(), text: 'hello' });

  test('means the same as the field', async () => {
    const key = crypto.randomUUID();
    const request = withoutKey();
    const first = await sent('sms/text', key, request);
    expect(first.status).toBe(202);
    expect((await sent('sms/text', key, request)).body).toEqual(first.body);
    expect((await tenant.send('sms/text', { ...request, idempotencyKey: key })).body).toEqual(first.body);
    expect((await sent('sms/text', key, { ...request, idempotencyKey: key })).body).toEqual(first.body);
    expect(await sent('sms/text', key, { ...request, text: 'other' })).toMatchObject(
      problem('idempotency-key-reused'),
    );
  });

  test('that differs from the field, has odd characters or is too long is refused', async () => {
    for (const key of ['other', 'ü', 'x'.repeat(101)])
      expect(await sent('sms/text', key, text())).toMatchObject(
        problem('invalid-request', 'header/idempotency-key'),
      );
  });

  test('in quotes, as the draft of the IETF writes it, is the key without them', async () => {
    const name = crypto.randomUUID();
    for (const [written, key] of [
      [`"${name}"`, name],
      [String.raw`"${name} \"a\" \\ b"`, String.raw`${name} "a" \ b`],
      // Quotes that do not begin the value are part of the key.
      [`${name}"`, `${name}"`],
    ] as const) {
      const request = withoutKey();
      const first = await sent('sms/text', written, request);
      expect(first.status).toBe(202);
      expect((await tenant.send('sms/text', { ...request, idempotencyKey: key })).body).toEqual(first.body);
      expect((await sent('sms/text', written, { ...request, idempotencyKey: key })).body).toEqual(first.body);
    }
  });

  test.each([
    '"',
    '""',
    '"k',
    '"k"x',
    '"a"b"',
    '"k";a=1',
    String.raw`"a\b"`,
    String.raw`"k\"`,
    `"${'x'.repeat(101)}"`,
  ])('may not be %s, which is no whole string in quotes', async (written) => {
    expect(await sent('sms/text', written, withoutKey())).toMatchObject(
      problem('invalid-request', 'header/idempotency-key'),
    );
  });

  test('is refused on a bulk call', async () => {
    const answer = await sent('sms/bulk', crypto.randomUUID(), { messages: [withoutKey()] });
    expect(answer).toMatchObject(problem('invalid-request', 'header/idempotency-key'));
  });
});

describe('the same key with the same request', () => {
  test('answers 202 with the original answer, also when the message has gone on', async () => {
    const request = text();
    const first = await tenant.send('sms/text', request);
    await messageWhen(tenant, first.body.id, ({ status }) => status === 'delivered');
    const again = await tenant.send('sms/text', request);
    expect(again.status).toBe(202);
    expect(again.body).toEqual(first.body);
  });

  test('answers a media send so too', async () => {
    const request = media({ caption: 'a', filename: 'b' });
    const first = await tenant.send('whatsapp/media', request);
    expect((await tenant.send('whatsapp/media', request)).body).toEqual(first.body);
  });

  test('sends once, however many race', async () => {
    const request = text();
    const answers = await Promise.all(Array.from({ length: 20 }, () => tenant.send('sms/text', request)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  test('in two items of one bulk call is one message, answered twice', async () => {
    const request = text();
    const { status, body } = await bulk(request, text(), request);
    expect(status).toBe(202);
    expect(body[2]).toEqual(body[0]);
    expect(body[1].id).not.toBe(body[0].id);
  });

  test('answers a whole bulk call as before', async () => {
    const messages = [text(), text(), text()];
    const first = await bulk(...messages);
    expect((await bulk(...messages)).body).toEqual(first.body);
  });

  test('by bulk answers what was sent by text', async () => {
    const request = text();
    const first = await tenant.send('sms/text', request);
    expect((await bulk(request)).body).toEqual([first.body]);
  });

  test.each([
    ['a field that is null and one that is absent', { channelAccountId: null }, {}],
    ['another time limit', { expiresInSeconds: 60 }, { expiresInSeconds: 90 }],
  ])('is the same with %s', async (_what, before, after) => {
    const request = text();
    const first = await tenant.send('sms/text', { ...request, ...before });
    const second = await tenant.send('sms/text', { ...request, ...after });
    expect(second).toMatchObject({ status: 202, body: { id: first.body.id } });
  });

  test('is the same with a caption of null and with none', async () => {
    const request = media();
    const first = await tenant.send('whatsapp/media', { ...request, caption: null });
    expect((await tenant.send('whatsapp/media', request)).body.id).toBe(first.body.id);
  });
});

describe('the same key with another spelling of the recipient', () => {
  const number = () => `8765${String(Math.floor(Math.random() * 10_000)).padStart(4, '0')}`;

  test.each([
    ['whatsapp', () => (({ to }) => [to, to.slice(1)])({ to: phone() })],
    ['whatsapp', () => ((one) => [`+55119${one}`, `5511${one}`])(number())],
    ['sms', () => ((one) => [`+521551${one.slice(1)}`, `+52551${one.slice(1)}`])(number())],
    ['telegram', () => ((one) => [`@Ada_${one}`, `@aDA_${one}`])(number())],
  ] as const)('is the same on %s, and answers as at first', async (channel, spell) => {
    const [to, other] = spell();
    for (const [before, after] of [
      [to, other],
      [other, to],
    ]) {
      const request = text({ to: before });
      const first = await tenant.send(`${channel}/text`, request);
      expect(first).toMatchObject({ status: 202, body: { to: before } });
      expect((await tenant.send(`${channel}/text`, { ...request, to: after })).body).toEqual(first.body);
      const messages = [text({ to: after }), text({ to: before, text: 'two' })];
      const sent = await tenant.send(`${channel}/bulk`, { messages });
      const respelled = messages.map((one) => ({ ...one, to: one.to === to ? other : to }));
      expect((await tenant.send(`${channel}/bulk`, { messages: respelled })).body).toEqual(sent.body);
      const routes = [{ channel, to: before, text: 'hi' }];
      const group = { idempotencyKey: crypto.randomUUID() };
      const { body } = await tenant.send('send', { ...group, routes });
      const again = await tenant.send('send', { ...group, routes: [{ ...routes[0], to: after }] });
      expect(again).toMatchObject({ status: 202, body: { id: body.id } });
    }
  });
});

describe('the same key with a different request is refused:', () => {
  test.each([
    ['another text', { text: 'changed' }],
    ['another recipient', { to: phone('8888') }],
  ])('%s', async (_what, change) => {
    const request = text();
    await tenant.send('sms/text', request);
    expect(await tenant.send('sms/text', { ...request, ...change })).toMatchObject(
      problem('idempotency-key-reused'),
    );
  });

  test('another channel', async () => {
    const request = text();
    await tenant.send('sms/text', request);
    expect(await tenant.send('whatsapp/text', request)).toMatchObject(problem('idempotency-key-reused'));
  });

  test('an account that was not asked for before', async () => {
    const request = text();
    await tenant.send('sms/text', request);
    const { id: channelAccountId } = await sandboxAccount(tenant, 'sms');
    const response = await tenant.send('sms/text', { ...request, channelAccountId });
    expect(response).toMatchObject(problem('idempotency-key-reused'));
  });

  test('media instead of text', async () => {
    const request = text();
    await tenant.send('whatsapp/text', request);
    const { to, idempotencyKey } = request;
    expect(await tenant.send('whatsapp/media', media({ to, idempotencyKey }))).toMatchObject(
      problem('idempotency-key-reused'),
    );
  });

  test.each([
    ['another type', { type: 'video' }],
    ['another url', { url: 'https://example.com/b.png' }],
    ['a caption', { caption: 'new' }],
    ['a filename', { filename: 'new.png' }],
  ])('%s', async (_what, change) => {
    const request = media();
    await tenant.send('whatsapp/media', request);
    expect(await tenant.send('whatsapp/media', { ...request, ...change })).toMatchObject(
      problem('idempotency-key-reused'),
    );
  });

  test('one of many that race wins, and the others are refused', async () => {
    const idempotencyKey = crypto.randomUUID();
    const requests = Array.from({ length: 10 }, (_, index) => text({ text: `no ${index}`, idempotencyKey }));
    const answers = await Promise.all(requests.map((request) => tenant.send('sms/text', request)));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
  });

  test('within one bulk call the later item fails', async () => {
    const request = text();
    const { status, body } = await bulk(request, { ...request, text: 'changed' });
    expect(status).toBe(202);
    expect(body).toMatchObject([{ status: 'queued' }, { status: 'failed' }]);
  });
});

describe('a key', () => {
  test('is a tenant’s own', async () => {
    const request = text();
    const other = await newTenant();
    const mine = await tenant.send('sms/text', request);
    const theirs = await other.send('sms/text', { ...request, text: 'changed' });
    expect(theirs.status).toBe(202);
    expect(theirs.body.id).not.toBe(mine.body.id);
  });

  test('is not used up by a request that was refused', async () => {
    const request = text();
    await tenant.send('sms/text', { ...request, to: 'ada' });
    expect((await tenant.send('sms/text', request)).status).toBe(202);
  });

  test('is compared exactly', async () => {
    const first = await tenant.send('sms/text', text({ idempotencyKey: 'Key' }));
    const second = await tenant.send('sms/text', text({ idempotencyKey: 'key' }));
    const spaced = await tenant.send('sms/text', text({ idempotencyKey: 'key ' }));
    expect(new Set([first.body.id, second.body.id, spaced.body.id]).size).toBe(3);
  });

  test.each(['__proto__', 'constructor', 'toString'])('may be %s', async (idempotencyKey) => {
    const request = text({ idempotencyKey });
    const first = await tenant.send('sms/text', request);
    expect(first.status).toBe(202);
    expect((await tenant.send('sms/text', request)).body).toEqual(first.body);
  });

  test('that is left out makes every send one of its own', async () => {
    const request = { to: phone(), text: 'hello' };
    const first = await tenant.send('sms/text', request);
    const second = await tenant.send('sms/text', { ...request, idempotencyKey: null });
    expect(second.body.id).not.toBe(first.body.id);
  });
});
