import type { Response } from 'supertest';
import supertest from 'supertest';
import { type BadField, badRequired, badString, changed, tooLong } from '../suite/bad-fields.ts';
import { problem } from '../suite/problem.ts';
import { messageWhen, newTenant, sandboxAccount, type Tenant } from '../suite/tenant.ts';
import { channels, id, phone, recipient, someText, timestamp, unknownId, uuid } from '../suite/values.ts';

/** What people write to an account, by the sandbox's `simulate-inbound`. */

let tenant: Tenant;
const accounts = new Map<string, string>();
beforeAll(async () => {
  tenant = await newTenant();
  for (const channel of channels) accounts.set(channel, (await sandboxAccount(tenant, channel)).id);
});

const pathOf = (channel: string) => `/v1/channel-accounts/${accounts.get(channel)}/simulate-inbound`;

/** Has a person write on the channel. Returns the message. */
async function receive(body: object, channel = 'sms', by = tenant): Promise<Response['body']> {
  const account = (await sandboxAccount(by, channel)).id;
  const answer = await by.post(`/v1/channel-accounts/${account}/simulate-inbound`, body);
  if (answer.status !== 202) throw new Error(`${answer.status}: ${answer.text}`);
  return answer.body;
}

describe('POST /v1/channel-accounts/:id/simulate-inbound', () => {
  test.each(channels)('stores a text on %s, as any message can be looked up', async (channel) => {
    const from = recipient(channel);
    const message = await receive({ from, text: 'When do you open?' }, channel);
    expect(message).toMatchObject({
      messageId: id('msg'),
      direction: 'inbound',
      provider: channel,
      channelAccountId: accounts.get(channel),
      from,
      type: 'text',
      body: { text: 'When do you open?' },
      status: 'delivered',
      replyTo: null,
      externalId: someText,
      receivedAt: timestamp,
      sentAt: timestamp,
      error: null,
      attempts: 0,
    });
    expect((await tenant.message(message.messageId)).body).toEqual(message);
  });

  test('ties an answer to the message that it answers', async () => {
    const to = phone();
    const { id: sent } = (await tenant.send('sms/text', { to, text: 'Hello' })).body;
    const early = { from: phone(), text: 'Hi', replyTo: sent };
    expect(await tenant.post(pathOf('sms'), early)).toMatchObject(problem('invalid-request', 'body/replyTo'));
    await messageWhen(tenant, sent, ({ status }) => status !== 'queued');
    expect(await receive({ from: to, text: 'Hi', replyTo: sent })).toMatchObject({ replyTo: sent });
  });

  const good = { from: '+491701234567', text: 'hi' };
  const bad: readonly BadField[] = [
    ...badRequired('from'),
    ...tooLong('from', 256),
    ...badString('text'),
    ...tooLong('text', 4096),
    ['no content', { text: undefined }, 'text'],
    ['two contents', { media: { type: 'image' } }, 'media'],
    ['an unknown type', { text: undefined, media: { type: 'sticker' } }, 'media/type'],
    [
      'a long caption',
      { text: undefined, media: { type: 'image', caption: 'x'.repeat(1_025) } },
      'media/caption',
    ],
    ['an unknown field', { subject: 'x' }, 'subject'],
    ['an answer to nothing', { replyTo: 'x' }, 'replyTo'],
    ['an answer to a message that is not there', { replyTo: unknownId('msg') }, 'replyTo'],
  ];
  test.each(bad)('refuses %s', async (_, change, at) => {
    const refused = await tenant.post(pathOf('sms'), changed(good, change));
    expect(refused).toMatchObject(problem('invalid-request', `body/${at}`));
  });

  test('refuses an address that no send would take', async () => {
    const refused = await tenant.post(pathOf('sms'), { ...good, from: 'ada' });
    expect(refused).toMatchObject(problem('invalid-recipient', 'body/from'));
  });

  test('is for accounts of the sandbox alone', async () => {
    const account = { provider: 'whatsapp-web', name: 'phone', settings: {} };
    const { id: phoneId } = (await tenant.post('/v1/channel-accounts', account)).body;
    const refused = await tenant.post(`/v1/channel-accounts/${phoneId}/simulate-inbound`, good);
    expect(refused).toMatchObject(problem('invalid-request', 'path/id'));
    for (const other of [crypto.randomUUID(), 'x'])
      expect(await tenant.post(`/v1/channel-accounts/${other}/simulate-inbound`, good)).toMatchObject(
        problem('not-found'),
      );
  });
});

describe('an inbound message', () => {
  test('is listed only where it is asked for', async () => {
    const own = await newTenant();
    const from = phone();
    const { messageId } = await receive({ from, text: 'hi' }, 'sms', own);
    const { id: sent } = (await own.send('sms/text', { to: from, text: 'hello' })).body;
    const listed = async (query: string) =>
      (await own.get(`/v1/messages?${query}`)).body.data.map((one: { messageId: string }) => one.messageId);
    expect(await listed('')).toEqual([sent]);
    expect(await listed('direction=outbound')).toEqual([sent]);
    expect(await listed('direction=inbound')).toEqual([messageId]);
    expect(await listed('direction=all')).toEqual([sent, messageId]);
    expect(await listed(`direction=all&sender=${encodeURIComponent(from)}`)).toEqual([messageId]);
    expect(await listed(`direction=inbound&sender=${from.slice(1)}`)).toEqual([messageId]);
    expect(await listed(`sender=${from.slice(1)}`)).toEqual([]);
    expect(await listed(`direction=inbound&sender=${phone()}`)).toEqual([]);
    for (const [query, at] of [
      ['direction=both', 'direction'],
      ['sender=', 'sender'],
    ] as const)
      expect(await own.get(`/v1/messages?${query}`)).toMatchObject(problem('invalid-request', `query/${at}`));
  });

  test('has a timeline of its receipt, and can be neither canceled nor resent', async () => {
    const { messageId, receivedAt } = await receive({ from: phone(), text: 'hi' });
    const path = `/v1/messages/${messageId}`;
    const shown = (await tenant.get(path)).body;
    expect(shown).toMatchObject({
      messageId,
      direction: 'inbound',
      cancelable: false,
      accountName: someText,
    });
    expect(shown.timeline).toMatchObject([
      { kind: 'event', event: 'message.received', sequence: 1, at: receivedAt, eventId: id('evt') },
    ]);
    expect(await tenant.post(`${path}/cancel`)).toMatchObject(problem('not-cancelable'));
    expect(await tenant.post(`${path}/resend`)).toMatchObject(problem('not-resendable'));
  });
});

describe('GET …/messages/:id/media', () => {
  test.each([
    ['image', 'image/png', /^\x89PNG/],
    ['audio', 'audio/wav', /^RIFF/],
    ['video', 'video/mp4', /ftyp/],
    ['document', 'text/plain', /sandbox/],
  ])('downloads %s by session and by key', async (type, mimeType, begins) => {
    const media = { type, caption: 'Look', filename: 'Grüße.bin' };
    const message = await receive({ from: phone(), media }, 'whatsapp');
    expect(message).toMatchObject({ type, body: { type, caption: 'Look', filename: 'Grüße.bin' } });
    const { messageId } = message;
    const ways = [
      tenant.get(`/v1/messages/${messageId}/media`),
      tenant.service.call('get', `/v1/notify/messages/${messageId}/media`, { apiKey: tenant.apiKey }),
    ];
    for (const answer of await Promise.all(ways)) {
      expect(answer).toMatchObject({ status: 200, type: mimeType });
      expect(answer.headers).toMatchObject({
        'content-disposition': `attachment; filename="Gr__e.bin"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.bin`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
        'cache-control': 'private, no-store',
        'content-length': expect.stringMatching(/^[1-9]\d*$/),
      });
      expect(Buffer.isBuffer(answer.body) ? answer.body.toString('latin1') : answer.text).toMatch(begins);
    }
  });

  test('answers 404 for a message without a file, and for none at all', async () => {
    const { messageId } = await receive({ from: phone(), text: 'hi' });
    const { id: sent } = (await tenant.send('sms/text', { to: phone(), text: 'hello' })).body;
    for (const one of [messageId, sent, unknownId('msg'), 'x', '%00'])
      for (const answer of [
        await tenant.get(`/v1/messages/${one}/media`),
        await tenant.service.call('get', `/v1/notify/messages/${one}/media`, { apiKey: tenant.apiKey }),
      ])
        expect(answer).toMatchObject(problem('not-found'));
  });

  test('wants its credential, and not the other one', async () => {
    const { messageId } = await receive({ from: phone(), media: { type: 'image' } });
    const { service, apiKey, accessToken } = tenant;
    const path = `/v1/messages/${messageId}/media`;
    expect(await service.call('get', path)).toMatchObject(problem('unauthenticated'));
    expect(await service.call('get', path, { apiKey })).toMatchObject(problem('unauthenticated'));
    const byKey = `/v1/notify/messages/${messageId}/media`;
    expect(await service.call('get', byKey, { bearer: accessToken })).toMatchObject(
      problem('invalid-api-key'),
    );
  });

  test('answers the head alone to HEAD', async () => {
    const { messageId } = await receive({ from: phone(), media: { type: 'image', filename: 'a.png' } });
    const answer = await supertest(tenant.service.url)
      .head(`/v1/messages/${messageId}/media`)
      .set('authorization', `Bearer ${tenant.accessToken}`);
    expect(answer).toMatchObject({ status: 200, text: undefined });
    expect(answer.headers['content-disposition']).toBe('attachment; filename="a.png"');
  });
});

describe('replyTo of a send', () => {
  const image = { type: 'image', url: 'https://example.com/a.png' };
  const template = {
    name: 'login_code',
    language: 'en',
    parameters: { body: ['1'], buttons: [{ index: 0, code: '1' }] },
  };

  test.each([
    ['text', (body: object) => tenant.send('whatsapp/text', { ...body, text: 'at 9' })],
    ['media', (body: object) => tenant.send('whatsapp/media', { ...body, ...image })],
    ['template', (body: object) => tenant.send('whatsapp/template', { ...body, template })],
    ['bulk', (body: object) => tenant.send('whatsapp/bulk', { messages: [{ ...body, text: 'at 9' }] })],
    [
      'messages',
      (body: object) => tenant.post('/v1/messages', { ...body, channel: 'whatsapp', text: 'at 9' }),
    ],
  ] as const)(
    'ties a %s to what it answers, and refuses what is of another conversation',
    async (kind, send) => {
      const [from, other] = [phone(), phone()];
      const { messageId } = await receive({ from, text: 'When?' }, 'whatsapp');
      const answer = await send({ to: from, replyTo: messageId });
      expect(answer.status).toBe(202);
      const sent = Array.isArray(answer.body) ? answer.body[0].id : answer.body.id;
      expect((await tenant.message(sent)).body).toMatchObject({ direction: 'outbound', replyTo: messageId });
      const at = kind === 'bulk' ? 'body/messages/0/replyTo' : 'body/replyTo';
      const elsewhere = await receive({ from, text: 'When?' }, 'sms');
      const foreign = await receive({ from, text: 'When?' }, 'whatsapp', await newTenant());
      for (const body of [
        { to: other, replyTo: messageId },
        { to: from, replyTo: elsewhere.messageId },
        { to: from, replyTo: foreign.messageId },
        { to: from, replyTo: unknownId('msg') },
        { to: from, replyTo: 'x' },
        { to: from, replyTo: '' },
      ])
        expect(await send(body)).toMatchObject(problem('invalid-request', at));
    },
  );

  test('may name what was sent, and the same number in its other spelling', async () => {
    const to = phone();
    const { id: first } = (await tenant.send('whatsapp/text', { to, text: 'one' })).body;
    const answer = await tenant.send('whatsapp/text', { to: to.slice(1), text: 'two', replyTo: first });
    expect(answer.status).toBe(202);
    expect((await tenant.message(answer.body.id)).body).toMatchObject({ replyTo: first });
  });

  test('uses the account of the message it answers, and none that does not fit', async () => {
    const own = await newTenant();
    const sandbox = { provider: 'sandbox', name: 'two', settings: { channel: 'sms' } };
    const { id: second } = (await own.post('/v1/channel-accounts', sandbox)).body;
    const from = phone();
    const { body: message } = await own.post(`/v1/channel-accounts/${second}/simulate-inbound`, {
      from,
      text: 'hi',
    });
    const answer = { to: from, text: 'hello', replyTo: message.messageId };
    expect((await own.send('sms/text', answer)).body).toMatchObject({ channelAccountId: second });
    const first = (await sandboxAccount(own, 'sms')).id;
    const channelAccountId = first === second ? unknownId('x').slice(2) : first;
    expect(await own.send('sms/text', { ...answer, channelAccountId })).toMatchObject(
      problem('invalid-request', 'body/replyTo'),
    );
  });

  test('is compared by idempotency', async () => {
    const from = phone();
    const [first, second] = [await receive({ from, text: '1' }), await receive({ from, text: '2' })];
    const body = { to: from, text: 'yes', idempotencyKey: `k ${from}`, replyTo: first.messageId };
    const sent = await tenant.send('sms/text', body);
    expect((await tenant.send('sms/text', body)).body).toEqual(sent.body);
    for (const replyTo of [second.messageId, undefined])
      expect(await tenant.send('sms/text', { ...body, replyTo })).toMatchObject(
        problem('idempotency-key-reused'),
      );
  });
});

describe('POST /v1/channel-accounts/:id/pairings', () => {
  test('is refused by accounts that have no pairing links', async () => {
    for (const channel of channels)
      expect(
        await tenant.post(`/v1/channel-accounts/${accounts.get(channel)}/pairings`, { reference: 'r' }),
      ).toMatchObject(problem('invalid-request', 'path/id'));
    for (const other of [uuid, 'x'].map(() => crypto.randomUUID()))
      expect(await tenant.post(`/v1/channel-accounts/${other}/pairings`, { reference: 'r' })).toMatchObject(
        problem('not-found'),
      );
  });

  const bad: readonly BadField[] = [
    ...badRequired('reference'),
    ...tooLong('reference', 200),
    ['an empty reference', { reference: '' }, 'reference'],
    ['an early expiry', { expiresInSeconds: 59 }, 'expiresInSeconds'],
    ['a late expiry', { expiresInSeconds: 2_592_001 }, 'expiresInSeconds'],
    ['an unknown field', { to: 'x' }, 'to'],
  ];
  test.each(bad)('refuses %s', async (_, change, at) => {
    const path = `/v1/channel-accounts/${accounts.get('telegram')}/pairings`;
    const refused = await tenant.post(path, changed({ reference: 'r' }, change));
    expect(refused).toMatchObject(problem('invalid-request', `body/${at}`));
  });
});
