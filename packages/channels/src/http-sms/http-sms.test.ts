import type { HttpRequest, HttpResult } from '@notify/egress';
import { noStream, sendRequest } from '../../test/conformance/conformance.ts';
import type { SendRequest } from '../adapter/channel.ts';
import { checkSettings } from '../settings/settings.ts';
import { httpSms } from './http-sms.ts';
import type { HttpSmsSettings } from './settings/settings.ts';

const signal = new AbortController().signal;
const id = sendRequest().messageId;

type Answered = Partial<Extract<HttpResult, { ok: true }>>;

/** Sends with a prepared answer. Returns the request and its outcome. */
async function send(settings: HttpSmsSettings, changes: Partial<SendRequest> = {}, answered: Answered = {}) {
  const asked: HttpRequest[] = [];
  const answer = {
    ok: true,
    status: 200,
    headers: {},
    body: Buffer.alloc(0),
    truncated: false,
    durationMs: 1,
  } as const;
  const http = {
    request: async (request: HttpRequest): Promise<HttpResult> => {
      asked.push(request);
      return { ...answer, ...answered };
    },
    stream: noStream,
    close: async () => undefined,
  };
  const outcome = await httpSms.send(sendRequest(changes), { settings, http, baseUrl: '', signal });
  const [request] = asked;
  if (request === undefined) throw new Error('nothing was asked');
  return { request, outcome };
}

const text = 'a+b&c=d "ü"\r\nX: {{to}} 😀';
const url = 'https://gw.example/send';
const template: HttpSmsSettings = {
  url,
  body: { type: 'query', fields: { to: '{{to}}', text: '{{text}}' } },
};

describe('the sender', () => {
  const settings: HttpSmsSettings = {
    url,
    from: 'Shop',
    senders: [{ prefix: '+4915', from: 'Läden & Co' }],
    body: { type: 'query', fields: { to: '{{to}}', from: '{{from}}', text: '{{text}}' } },
  };
  const kannel: HttpSmsSettings = {
    profile: 'kannel',
    url,
    username: 'u',
    password: 'p',
    from: 'Shop',
    senders: settings.senders!,
  };

  test.each([settings, kannel])('is that of the prefix, otherwise the default: %j', async (of) => {
    const from = async (to: string) =>
      new URL((await send({ ...of, method: 'GET' }, { to })).request.url).searchParams.get('from');
    expect(await from('+4915112345678')).toBe('Läden & Co');
    expect(await from('+447700900123')).toBe('Shop');
  });

  test('by prefix needs a template that has it, and counts in the size of the request', () => {
    const without = { ...settings, body: { type: 'query', fields: { a: '{{to}}{{text}}' } } };
    expect(checkSettings(httpSms, without)).toEqual([
      { at: '/senders', message: 'has no effect: no template contains {{from}}' },
    ]);
    const many = { type: 'form', fields: { a: '{{to}}{{text}}', b: '{{from}}'.repeat(600) } };
    const long = [{ prefix: '+1', from: 'ü'.repeat(100) }];
    expect(checkSettings(httpSms, { ...settings, body: many })).toEqual([]);
    expect(checkSettings(httpSms, { ...settings, body: many, senders: long })).toMatchObject([
      { at: '/body/fields/b' },
    ]);
  });
});

describe('a value stays a value wherever it stands', () => {
  test('query, added to the query of the URL', async () => {
    const { request } = await send({ ...template, url: `${url}?v=1`, method: 'GET' }, { body: { text } });
    const query = new URL(request.url).searchParams;
    expect([...query]).toEqual([
      ['v', '1'],
      ['to', '+4915112345678'],
      ['text', text],
    ]);
    expect(request).not.toHaveProperty('body');
  });

  test('form', async () => {
    const fields = { to: '{{to}}', text: '<{{text}}>', id: '{{id}}', empty: '{{from}}' };
    const { request } = await send({ ...template, body: { type: 'form', fields } }, { body: { text } });
    const form = new URLSearchParams(request.body as string);
    expect([...form]).toEqual([
      ['to', '+4915112345678'],
      ['text', `<${text}>`],
      ['id', id],
    ]);
    expect(request.headers).toEqual({ 'content-type': 'application/x-www-form-urlencoded' });
  });

  test('json', async () => {
    const body = {
      type: 'json',
      template: '{"m":[{"to":"{{to}}","t":"{{ text }}","of":{{parts}}}]}',
    } as const;
    const { request } = await send({ ...template, body }, { body: { text } });
    expect(JSON.parse(request.body as string)).toEqual({ m: [{ to: '+4915112345678', t: text, of: 1 }] });
    expect(request.headers).toEqual({ 'content-type': 'application/json' });
  });

  test('text, with the rest in headers, which percent-encode line ends and non-ASCII', async () => {
    const headers = { 'X-To': '{{to}}', 'X-Text': '{{text}}', 'Content-Type': 'text/plain' };
    const { request } = await send(
      { ...template, headers, body: { type: 'text', template: '{{text}}' } },
      { body: { text } },
    );
    expect(request.body).toBe(text);
    expect(request.headers).toEqual({
      'X-To': '+4915112345678',
      'X-Text': 'a+b&c=d "%C3%BC"%0D%0AX: {{to}} %F0%9F%98%80',
      'Content-Type': 'text/plain',
    });
  });

  test('the path of the URL', async () => {
    const { request } = await send({
      ...template,
      url: `${url}/{{secret.key}}/x`,
      secrets: { key: '../a b?' },
    });
    expect(new URL(request.url).pathname).toBe('/send/..%2Fa%20b%3F/x');
  });

  test('the text of a part, its number, and the reference with the part in it', async () => {
    const fields = { to: '{{to}}', text: '{{text}}', n: '{{part}}/{{parts}}', id: '{{id}}' };
    const part = { part: 1, parts: 3, text: 'second' };
    const { request } = await send({ ...template, body: { type: 'query', fields } }, part);
    const query = new URL(request.url).searchParams;
    expect([query.get('text'), query.get('n'), query.get('id')]).toEqual(['second', '2/3', `${id}.1`]);
  });
});

test.each([
  ['+', '+4915112345678'],
  ['digits', '4915112345678'],
  ['00', '004915112345678'],
] as const)('number format %s', async (numberFormat, expected) => {
  const { request } = await send({ ...template, numberFormat });
  expect(new URL(request.url).searchParams.get('to')).toBe(expected);
});

describe('the Kannel profile', () => {
  const kannel: HttpSmsSettings = {
    profile: 'kannel',
    url: `${url}sms`,
    username: 'u{{to}}',
    password: 'p&w',
    from: 'Shop',
  };
  const asked = async (settings: HttpSmsSettings, changes: Partial<SendRequest> = {}) => {
    const { request } = await send(settings, changes);
    return Object.fromEntries(new URL(request.url).searchParams);
  };

  test('sends the request that Kannel expects', async () => {
    expect(await asked({ ...kannel, smsc: 'one' }, { body: { text: 'hello' } })).toEqual({
      username: 'u{{to}}',
      password: 'p&w',
      from: 'Shop',
      to: '+4915112345678',
      text: 'hello',
      coding: '0',
      charset: 'UTF-8',
      smsc: 'one',
      validity: '1440',
      'dlr-mask': '31',
      'dlr-url': `https://notify.example/callbacks/p/a/s?notify_id=${id}&type=%d&reply=%A`,
    });
  });

  test('asks for UCS-2 if GSM-7 cannot hold the text, and for no receipt without a public address', async () => {
    const query = await asked(kannel, { body: { text: 'ж' }, callbackUrl: null });
    expect(query).toMatchObject({ coding: '2' });
    expect(query).not.toHaveProperty('dlr-url');
    expect(query).not.toHaveProperty('dlr-mask');
  });

  test.each([
    [202, '0: Accepted for delivery', { kind: 'accepted' }],
    [202, '3: Queued for later delivery', { kind: 'accepted' }],
    [403, 'Authorization failed for sendsms', { kind: 'connection-broken' }],
    [400, 'Missing receiver number, rejected', { kind: 'rejected', errorCode: 'provider-rejected' }],
    [503, 'Temporal failure, try again later.', { kind: 'retry' }],
    [202, 'Temporal failure', { kind: 'retry' }],
    [202, 'something else', { kind: 'rejected' }],
  ])('%d %s', async (status, body, expected) => {
    const { outcome } = await send(kannel, {}, { status, body: Buffer.from(body) });
    expect(outcome).toMatchObject(expected);
  });
});

describe('answers by rule', () => {
  const settings: HttpSmsSettings = {
    ...template,
    success: { status: ['200-204'], body: '"status": *"0"' },
    externalId: { pointer: '/messages/0/id' },
    errors: [
      { body: '"status": *"1"', means: 'throttle' },
      { body: '"status": *"(5|10)"', means: 'retry' },
      { body: '"status": *"9"', means: 'broken' },
      { status: ['4xx'], body: 'opted.?out', means: 'permanent', errorCode: 'recipient-opted-out' },
    ],
  };
  test.each([
    [200, '{"messages":[{"status":"0","id":17}]}', { kind: 'accepted', externalId: '17' }],
    [200, '{"messages":[{"status":"1"}]}', { kind: 'throttled', afterMs: 1_000, scope: 'account' }],
    [200, '{"messages":[{"status":"5"}]}', { kind: 'retry', errorCode: 'provider-error' }],
    [200, '{"messages":[{"status":"9"}]}', { kind: 'connection-broken' }],
    [200, '{"messages":[{"status":"7"}]}', { kind: 'rejected', errorCode: 'provider-rejected' }],
    [404, 'opted-out', { kind: 'rejected', errorCode: 'recipient-opted-out', providerCode: '404' }],
    [500, 'opted-out', { kind: 'retry' }],
    [206, '"status":"0"', { kind: 'rejected' }],
  ])('%d %s', async (status, body, expected) => {
    const { outcome } = await send(settings, {}, { status, body: Buffer.from(body) });
    expect(outcome).toMatchObject(expected);
  });

  const id = '12345678901234567890';
  const status = '"status":"0"';
  test.each([
    ['a number of 20 digits', `{"messages":[{${status},"id":${id}}]}`, settings],
    ['the same after a byte order mark', `\ufeff{"messages":[{${status},"id":${id}}]}`, settings],
    [
      'XML after a byte order mark',
      `\ufeff<id>${id}</id>`,
      { ...template, externalId: { pattern: '^<id>(.*)</id>' } },
    ],
    [
      'a text after a byte order mark',
      `\ufeffOK:${id}`,
      { ...template, success: { body: '^OK' }, externalId: { pattern: '^OK:(.*)' } },
    ],
    ['a line with CRLF', `ID: ${id}\r\n`, { ...template, externalId: { pattern: 'ID: (.*)' } }],
  ])('the id is kept with every digit: %s', async (_, body, of) => {
    const { outcome } = await send(of, {}, { body: Buffer.from(body) });
    expect(outcome).toEqual({ kind: 'accepted', externalId: id });
  });

  test.each([
    ['none', { pointer: '/id' }, '{}'],
    ['an empty one', { pointer: '/id' }, '{"id":""}'],
    ['an object', { pointer: '/id' }, '{"id":{}}'],
    ['a blank one', { pointer: '/id' }, '{"id":" "}'],
    ['false', { pointer: '/id' }, '{"id":false}'],
    ['none that fits', { pattern: 'id=(\\d+)' }, 'id=x'],
  ])('an answer with no id where the settings expect one says so: %s', async (_, externalId, body) => {
    const { outcome } = await send({ ...template, externalId }, {}, { body: Buffer.from(body) });
    const text = `No message ID where \`externalId\` expects it: HTTP 200: ${body}`;
    expect(outcome).toEqual({ kind: 'accepted', externalId: null, text });
  });

  test('settings that expect no id miss none', async () => {
    expect((await send(template)).outcome).toEqual({ kind: 'accepted', externalId: null });
  });

  test('a truncated body without proof of success is unknown', async () => {
    const { outcome } = await send(
      settings,
      {},
      { body: Buffer.from('{"messages":[{"sta'), truncated: true },
    );
    expect(outcome.kind).toBe('unknown');
  });

  test('each throttling in a row waits longer, up to a minute', async () => {
    const waits = [0, 1, 2, 6, 5_000].map(async (throttles) => {
      const { outcome } = await send(template, { throttles }, { status: 429 });
      return outcome.kind === 'throttled' ? outcome.afterMs : outcome.kind;
    });
    expect(await Promise.all(waits)).toEqual([1_000, 2_000, 4_000, 60_000, 60_000]);
  });

  test('patterns that ruin a backtracking engine cost little', async () => {
    const hostile = ['(a+)+$', '(a|aa)+$', '((a{0,15}){0,14})$', '(.*a){20}$'];
    for (const body of hostile) {
      const { outcome } = await send(
        { ...template, success: { body } },
        {},
        { body: Buffer.from(`${'a'.repeat(60_000)}!`) },
      );
      expect(outcome.kind).toMatch(/accepted|rejected/);
    }
  });
});

describe('settings that were stored before there was a limit', () => {
  const asking = async (settings: HttpSmsSettings, changes: Partial<SendRequest>) => {
    const asked: HttpRequest[] = [];
    const http = {
      request: async (request: HttpRequest): Promise<HttpResult> => {
        asked.push(request);
        return { ok: false, error: 'refused', text: 'no', written: false, durationMs: 1 };
      },
      stream: noStream,
      close: async () => undefined,
    };
    const context = { settings, http, baseUrl: '', signal };
    const outcome = await httpSms.send(sendRequest(changes), context);
    return { asked: asked.length, outcome, verified: await httpSms.verify(context) };
  };

  test('a message that would become a request of 516 MB fails, and a short one is sent', async () => {
    const fields = Object.fromEntries(
      Array.from({ length: 14 }, (_, at) => [`f${at}`, '{{text}}'.repeat(999)]),
    );
    const settings: HttpSmsSettings = { url, body: { type: 'form', fields: { to: '{{to}}', ...fields } } };
    expect(await asking(settings, { body: { text: '€'.repeat(4_096) } })).toMatchObject({
      outcome: {
        kind: 'rejected',
        errorCode: 'request-too-large',
        text: expect.stringContaining('503,497 KB, and at most 256 KB'),
      },
      asked: 0,
    });
    expect(await asking(settings, { body: { text: 'hello' } })).toMatchObject({ outcome: { kind: 'retry' } });
  });

  test('patterns beyond the limit break the account before anything is sent', async () => {
    const settings = { ...template, success: { body: 'a{0,1000}'.repeat(33) } };
    expect(await asking(settings, {})).toMatchObject({
      outcome: { kind: 'connection-broken', text: expect.stringContaining('patterns in the settings') },
      asked: 0,
    });
  });

  test('a verification of them fails, too', async () => {
    const settings = {
      ...template,
      secrets: { a: 'x'.repeat(4_000) },
      verifyUrl: `${url}?${'{{secret.a}}'.repeat(99)}`,
    };
    const { verified } = await asking(settings, {});
    expect(verified).toMatchObject({
      ok: false,
      refused: true,
      detail: expect.stringContaining('KB are sent'),
    });
  });
});

describe('splitting', () => {
  const long = 'x'.repeat(400);
  test.each([
    [{ ...template }, [400], 3],
    [{ ...template, maxSegments: 1 }, [160, 160, 80], 3],
    [{ ...template, maxSegments: 2 }, [306, 94], 3],
    [{ profile: 'kannel', url }, [160, 160, 80], 3],
  ] as const)('%j', (settings, lengths, segments) => {
    const split = httpSms.split?.(long, settings, 'readable');
    expect(split?.texts.map((each) => each.length)).toEqual(lengths);
    expect(split?.segments).toBe(segments);
  });
});
