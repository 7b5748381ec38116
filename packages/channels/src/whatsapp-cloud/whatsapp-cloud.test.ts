import type { HttpRequest, HttpResult } from '@notify/egress';
import { noStream, sendRequest } from '../../test/conformance/conformance.ts';
import { checkSettings } from '../settings/settings.ts';
import { media } from './media.ts';
import { settings as schema, type WhatsappCloudSettings } from './settings.ts';
import { whatsappCloud } from './whatsapp-cloud.ts';

/* Cases that a peer playing Meta cannot show. test/whatsapp-cloud.test.ts has the others. */

const settings: WhatsappCloudSettings = {
  phoneNumberId: '106540352242922',
  accessToken: 'EAAG-token',
  appSecret: 'app-secret',
};

type Answered = Partial<Extract<HttpResult, { ok: true }>>;

async function send(answered: Answered, changes: Partial<WhatsappCloudSettings> = {}, to = '+4915112345678') {
  const asked: HttpRequest[] = [];
  const http = {
    async request(request: HttpRequest): Promise<HttpResult> {
      asked.push(request);
      const body = Buffer.alloc(0);
      return { ok: true, status: 200, headers: {}, body, truncated: false, durationMs: 1, ...answered };
    },
    stream: noStream,
    close: async () => undefined,
  };
  const { signal } = new AbortController();
  const context = { settings: { ...settings, ...changes }, http, baseUrl: 'https://graph.example', signal };
  const outcome = await whatsappCloud.send(sendRequest({ to }), context);
  return { outcome, asked };
}

const error = (error: object) => Buffer.from(JSON.stringify({ error }));

test.each(['+4915112345678', '4915112345678'])(
  '%s is written to without a plus, by version and number',
  async (to) => {
    const { asked } = await send({}, {}, to);
    expect(asked).toMatchObject([
      {
        method: 'POST',
        url: 'https://graph.example/v25.0/106540352242922/messages',
        headers: { authorization: 'Bearer EAAG-token', 'content-type': 'application/json' },
      },
    ]);
    expect(JSON.parse(asked[0]?.body as string)).toMatchObject({ to: '4915112345678' });
  },
);

test.each<[string, Answered, object]>([
  [
    'a 200 with a byte order mark and a number for an id',
    { body: Buffer.from('\ufeff{"messages":[{"id":12345678901234567890}]}') },
    { kind: 'accepted', externalId: '12345678901234567890' },
  ],
  ['a 200 that names no message', { body: Buffer.from('{"success":true}') }, { kind: 'unknown' }],
  ['a 200 of half a document', { body: Buffer.from('{"messages":[{"id":"wam') }, { kind: 'unknown' }],
  ['a page', { status: 400, body: Buffer.from('<h1>Bad</h1>') }, { kind: 'rejected', providerCode: '400' }],
  ['a code as text', { status: 400, body: error({ code: '131047' }) }, { errorCode: 'outside-24h-window' }],
  ['an unknown code of 503', { status: 503, body: error({ code: 7 }) }, { kind: 'retry', providerCode: '7' }],
  [
    'an unknown code of 403',
    { status: 403, body: error({ code: 7 }) },
    { kind: 'connection-broken', providerCode: '7' },
  ],
  [
    'an unknown code of 429',
    { status: 429, body: error({ code: 7 }) },
    { kind: 'throttled', scope: 'account' },
  ],
  [
    'code 100 of the number',
    { status: 400, body: error({ code: 100, error_subcode: 33 }) },
    { kind: 'connection-broken' },
  ],
  [
    '131050',
    { status: 400, body: error({ code: 131050 }) },
    { kind: 'rejected', errorCode: 'recipient-rejected' },
  ],
  ['131057', { status: 500, body: error({ code: 131057 }) }, { kind: 'retry', providerCode: '131057' }],
])('%s', async (_, answered, expected) => {
  expect((await send(answered)).outcome).toMatchObject(expected);
});

test("Meta's words are kept in one line of at most 500 characters", async () => {
  const details = `line\none ${'x'.repeat(1_000)}`;
  const { outcome } = await send({
    status: 400,
    body: error({ code: 100, message: '(#100) Invalid EAAG-token', error_data: { details } }),
  });
  const text = 'text' in outcome ? outcome.text : '';
  expect(text).toMatch(/^\(#100\) Invalid \*\*\*: line one x+$/);
  expect(text).toHaveLength(500);
});

test.each<[string, Answered, 'unknown' | 'retry']>([
  ['a page of something on the way', { status: 502, body: Buffer.from('<html>') }, 'unknown'],
  ["Meta's own words", { status: 500, body: error({ code: 131000 }) }, 'retry'],
])('at-most-once: 5xx with %s is %s', async (_, answered, kind) => {
  expect((await send(answered, { onUnknownOutcome: 'at-most-once' })).outcome.kind).toBe(kind);
  expect((await send(answered)).outcome.kind).toBe('retry');
});

test('a number sends 80 a second, or what the settings say', () => {
  expect(whatsappCloud.pace?.(settings)).toEqual({ perSecond: 80 });
  expect(whatsappCloud.pace?.({ ...settings, ratePerSecond: 20 })).toEqual({ perSecond: 20 });
});

test('no WebP, OGG with Opus only, no caption on audio', () => {
  expect(media.image.mimeTypes).toEqual(['image/jpeg', 'image/png']);
  expect(media.audio.mimeTypes).toContain('audio/ogg; codecs=opus');
  expect(media.audio.mimeTypes).not.toContain('audio/ogg');
  expect(Object.entries(media).filter(([, { caption }]) => !caption)).toMatchObject([['audio', {}]]);
});

test.each([
  [{ phoneNumberId: '+4915112345678' }, '/phoneNumberId'],
  [{ phoneNumberId: '../1' }, '/phoneNumberId'],
  [{ accessToken: 'a\r\nb' }, '/accessToken'],
  [{ appSecret: '' }, '/appSecret'],
  [{ ratePerSecond: 0 }, '/ratePerSecond'],
])('settings with %j will not do', (change, at) => {
  expect(checkSettings(whatsappCloud, { ...settings, ...change }).map((fault) => fault.at)).toEqual([at]);
});

test('every secret is marked as one', () => {
  const marked = Object.entries(schema.properties).filter(([, field]) => 'secret' in field);
  expect(marked.map(([name]) => name)).toEqual(['accessToken', 'appSecret', 'verifyToken']);
});

test.each<[string, object]>([
  ['names no contact', {}],
  ['names several contacts', { contacts: [{ input: '4915112345678', wa_id: '491' }, {}] }],
  ['is about another number', { contacts: [{ input: '4915199999999', wa_id: '4917012345678' }] }],
  ['has no number', { contacts: [{ input: '4915112345678', user_id: 'DE.1' }] }],
  ['has an odd number', { contacts: [{ input: '4915112345678', wa_id: '49 170 ' }] }],
  ['has the same number', { contacts: [{ input: '+4915112345678', wa_id: '4915112345678' }] }],
])('an answer that %s tells no other number of the recipient', async (_what, more) => {
  const body = Buffer.from(JSON.stringify({ messages: [{ id: 'wamid.1' }], ...more }));
  const { outcome } = await send({ body });
  expect(outcome).toEqual({ kind: 'accepted', externalId: 'wamid.1' });
});
