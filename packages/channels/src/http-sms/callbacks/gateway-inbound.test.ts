import type { CallbackRequest } from '../../adapter/channel.ts';
import type { Inbound } from '../../adapter/inbound.ts';
import { checkSettings } from '../../settings/settings.ts';
import { httpSms } from '../http-sms.ts';
import type { HttpSmsSettings } from '../settings/settings.ts';

const url = 'https://gw.example/send';
const kannel: HttpSmsSettings = { profile: 'kannel', url, username: 'u', password: 'p' };
const template: HttpSmsSettings = {
  url,
  body: { type: 'query', fields: { to: '{{to}}', text: '{{text}}' } },
};

function read(settings: HttpSmsSettings, query: string, changes: Partial<CallbackRequest> = {}) {
  const request: CallbackRequest = {
    method: 'GET',
    url: `/callbacks/http-sms/a/s?${query}`,
    publicUrl: null,
    query: new URLSearchParams(query),
    headers: {},
    body: Buffer.alloc(0),
    secretMatches: true,
    address: '192.0.2.1',
    ...changes,
  };
  return httpSms.parseCallback?.(request, settings);
}

const message: Inbound = {
  externalId: '9300acc6-1206-4864-8766-38c2bd5ea6ee',
  from: '+4915112345678',
  to: '13013',
  sentAt: new Date('2026-01-31T12:00:00Z'),
  type: 'text',
  body: { text: 'Hi' },
  contact: null,
  replyTo: null,
  file: null,
};
const result = (changes: Partial<Inbound> = {}) => ({
  kind: 'receipts',
  receipts: [],
  inbound: [{ ...message, ...changes }],
});

const stopBig = '%00S%00T%00O%00P';
const stopLittle = 'S%00T%00O%00P%00';
const stopped = { body: { text: 'STOP' } };

describe('of a long text only what can be stored is decoded', () => {
  const form = { from: 'from', text: 'text', charset: 'charset' };
  const lengthOf = (inbound: NonNullable<HttpSmsSettings['inbound']>, body: string, headers = {}) => {
    const call = { method: 'POST', url: '/', body: Buffer.from(body), headers } as const;
    const read = readCall({ ...template, inbound }, call);
    return (read.body as { text: string }).text.length;
  };
  const readCall = (settings: HttpSmsSettings, changes: Partial<CallbackRequest>): Inbound => {
    const called = read(settings, '', changes);
    if (called?.kind !== 'receipts') throw new Error(called?.kind);
    return called.inbound![0]!;
  };

  test.each(['utf-16be', 'gb18030', 'windows-1252', 'klingon', ''])('4 MB of escapes in %j', (charset) => {
    const text = '%00%41'.repeat(690_000);
    expect(lengthOf(form, `from=4915112345678&charset=${charset}&text=${text}`)).toBe(
      charset === 'utf-16be' ? 131_072 : 262_144,
    );
  });

  test('4 MB of hex, in a form and in JSON', () => {
    const text = '0041'.repeat(1_000_000);
    const hex = { ...form, encoding: 'hex' } as const;
    expect(lengthOf(hex, `from=4915112345678&charset=utf-16be&text=${text}`)).toBe(65_536);
    const byPointer = { ...hex, from: '/from', text: '/text', charset: '/charset' };
    expect(lengthOf(byPointer, JSON.stringify({ from: '4915112345678', charset: 'utf-16be', text }))).toBe(
      65_536,
    );
  });

  test('a whole body of 4 MB', () => {
    const byHeader = { from: 'header:x-from', text: 'body', charset: 'header:x-charset' };
    const headers = { 'x-from': '4915112345678', 'x-charset': 'utf-16be' };
    expect(lengthOf(byHeader, '\u0000A'.repeat(2_000_000), headers)).toBe(131_072);
  });
});

describe('a get-url of Kannel', () => {
  const call = (text: string, coding: string, charset: string, from = '%2B4915112345678') =>
    `from=${from}&to=13013&text=${text}&coding=${coding}&charset=${charset}&time=1769860800&id=${message.externalId}`;

  test.each<[string, string, Partial<Inbound>]>([
    ['a text', call('Hi', '0', 'UTF-8'), {}],
    [
      'UTF-8',
      call('Hello++World+%40+%7Bx%7D+%E2%82%AC+%C3%BC', '0', 'UTF-8'),
      { body: { text: 'Hello  World @ {x} € ü' } },
    ],
    ['UCS-2', call('%04%1F%04%40%D8%3D%DE%00', '2', 'UTF-16BE'), { body: { text: 'Пр😀' } }],
    ['UCS-2 without a charset', call('%04%1F', '2', ''), { body: { text: 'П' } }],
    ...['UTF-16', 'utf16', 'UTF-16LE', 'UTF-16BE', 'UCS-2', 'ucs2', 'ISO-10646-UCS-2', 'UCS-2BE'].flatMap(
      (charset): [string, string, Partial<Inbound>][] => [
        [`${charset} with FF FE`, call(`%FF%FE${stopLittle}`, '2', charset), stopped],
        [`${charset} with FE FF`, call(`%FE%FF${stopBig}`, '2', charset), stopped],
      ],
    ),
    ['UCS-2 by its coding, with FF FE', call(`%FF%FE${stopLittle}`, '2', ''), stopped],
    ['UCS-2 by its coding, with FE FF', call(`%FE%FF${stopBig}`, '8', ''), stopped],
    ...['UTF-16', 'utf-16le', 'unicode', 'UCS2LE'].map((coding): [string, string, Partial<Inbound>] => [
      `the coding ${coding} with FF FE`,
      call(`%FF%FE${stopLittle}`, coding, ''),
      stopped,
    ]),
    ...['csUTF16', 'cp1200', 'ISO-10646-UCS-2BE', 'unicodeFFFE'].map(
      (charset): [string, string, Partial<Inbound>] => [
        `the charset ${charset} with FF FE`,
        call(`%FF%FE${stopLittle}`, '', charset),
        stopped,
      ],
    ),
    ['UTF-16 without a mark', call(stopBig, '2', 'UTF-16'), stopped],
    ['UTF-16LE without a mark', call(stopLittle, '2', 'UTF-16LE'), stopped],
    ['UCS-2LE without a mark', call(stopLittle, '2', 'ucs-2le'), stopped],
    ['UTF-8 with a mark', call('%EF%BB%BFSTOP', '0', 'UTF-8'), stopped],
    ['UTF-8 with a mark, without a label', call('%EF%BB%BFSTOP', '0', ''), stopped],
    ['ISO-8859-1', call('%FC+%E9', '0', 'ISO-8859-1'), { body: { text: 'ü é' } }],
    ['a charset that nobody knows', call('%C3%BC', '0', 'KLINGON'), { body: { text: 'ü' } }],
    ['half a character', call('%04', '2', 'UTF-16BE'), { body: { text: '\ufffd' } }],
    ['bytes', call('%01%02', '1', '8-BIT'), { type: 'unsupported', body: { kind: 'binary' } }],
    ['an empty text', call('', '0', 'UTF-8'), { body: { text: '' } }],
    ['a number with 00', call('Hi', '0', 'UTF-8', '004915112345678'), {}],
    ['digits alone', call('Hi', '0', 'UTF-8', '4915112345678'), {}],
    ['a name', call('Hi', '0', 'UTF-8', 'Bank'), { from: 'Bank' }],
  ])('%s', (_, query, changes) => {
    expect(read(kannel, query)).toEqual(result(changes));
  });

  test('is told apart from a receipt', () => {
    const id = '01912d68-783e-7a64-b6c9-2f3a4b5c6d7e';
    expect(read(kannel, `notify_id=${id}&type=1&from=%2B49`)).toMatchObject({
      receipts: [{ messageId: id, status: 'delivered' }],
    });
  });

  test('without the secret of the account is forged', () => {
    expect(read(kannel, call('Hi', '0', 'UTF-8'), { secretMatches: false })).toEqual({ kind: 'forged' });
  });

  test('without a number or a text is named as unreadable', () => {
    expect(read(kannel, 'from=&text=Hi')).toMatchObject({ kind: 'malformed' });
    expect(read(kannel, 'from=%2B4915112345678')).toMatchObject({ kind: 'malformed' });
  });
});

describe('a post-url of Kannel', () => {
  const headers = {
    'content-type': 'text/plain; charset="UTF-8"',
    'x-kannel-from': '+4915112345678',
    'x-kannel-to': '13013',
    'x-kannel-time': '2026-01-31 12:00:00',
    'x-kannel-coding': '0',
  };
  const post = (body: Buffer, more: object = {}, query = `id=${message.externalId}`) =>
    read(kannel, query, { method: 'POST', body, headers: { ...headers, ...more } });

  test('has the text as its body', () => {
    expect(post(Buffer.from('Hi & ü=1'))).toEqual(result({ body: { text: 'Hi & ü=1' } }));
    const ucs2 = { 'content-type': 'text/plain; charset="UTF-16BE"', 'x-kannel-coding': '2' };
    expect(post(Buffer.from('041f0440', 'hex'), ucs2)).toEqual(result({ body: { text: 'Пр' } }));
    const utf16 = { 'content-type': 'text/plain; charset=UTF-16', 'x-kannel-coding': '2' };
    expect(post(Buffer.from('\ufeffSTOP', 'utf16le'), utf16)).toEqual(result(stopped));
    expect(post(Buffer.from('\ufeffSTOP', 'utf16le').swap16(), utf16)).toEqual(result(stopped));
    expect(post(Buffer.from('\ufeffSTOP'))).toEqual(result(stopped));
  });

  test('without an id has a stand-in, the same whenever it comes', () => {
    const ids = ['Hi', 'Hi', 'Ho'].map((text) => {
      const told = post(Buffer.from(text), {}, '');
      return told?.kind === 'receipts' ? told.inbound?.[0]?.externalId : null;
    });
    expect(ids[0]).toMatch(/^sha256:/);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });
});

describe('by template', () => {
  const map = {
    international: true,
    from: 'sender',
    text: 'message',
    id: 'ref',
    time: 'when',
    to: 'receiver',
  };
  const fields = {
    sender: '4915112345678',
    receiver: '13013',
    message: 'Hi',
    ref: message.externalId,
    when: '2026-01-31T12:00:00Z',
  };
  const form = new URLSearchParams(fields).toString();

  test('from a query, a form or JSON', () => {
    expect(read({ ...template, inbound: map }, form)).toEqual(result());
    expect(read({ ...template, inbound: map }, '', { body: Buffer.from(form) })).toEqual(result());
    const pointers = {
      international: true,
      from: '/a/sender',
      text: '/a/message',
      id: '/a/ref',
      time: '/a/when',
      to: '/a/receiver',
    };
    const body = Buffer.from(JSON.stringify({ a: fields }));
    expect(read({ ...template, inbound: pointers }, '', { body })).toEqual(result());
  });

  test.each<[string, Partial<HttpSmsSettings>, string]>([
    ['nothing', {}, '+4915112345678'],
    ['international', { inbound: { ...map, international: true } }, '+4915112345678'],
    ['not international', { inbound: { ...map, international: false } }, 'local:4915112345678'],
  ])('digits alone, where the settings say %s', (_, changes, from) => {
    const { international: _unset, ...inbound } = map;
    expect(read({ ...template, inbound, ...changes }, form)).toEqual(result({ from }));
  });

  test('with a text in hex', () => {
    const hex = { ...template, inbound: { ...map, encoding: 'hex' as const, coding: 'dcs' } };
    const pairs = (text: string, dcs: string) =>
      new URLSearchParams({ ...fields, message: text, dcs }).toString();
    expect(read(hex, pairs('041f0440', '8'))).toEqual(result({ body: { text: 'Пр' } }));
    expect(read(hex, pairs('4869', '0'))).toEqual(result());
    expect(read(hex, pairs('no hex', '0'))).toEqual(result({ body: { text: 'no hex' } }));
  });

  test('with bytes of another charset in a form', () => {
    const settings = { ...template, inbound: { ...map, charset: 'cs' } };
    const body = Buffer.from(`${form.replace('message=Hi', 'message=%FC%20+')}&cs=windows-1252`);
    expect(read(settings, '', { body })).toEqual(result({ body: { text: 'ü  ' } }));
  });

  test('beside receipts: a status of the map makes a receipt', () => {
    const reports = { status: 'status', values: { ok: 'delivered' as const }, externalId: 'ref' };
    const both = { ...template, inbound: map, reports };
    expect(read(both, `${form}&status=ok`)).toMatchObject({ receipts: [{ externalId: message.externalId }] });
    expect(read(both, `${form}&status=received`)).toEqual(result());
    expect(read(both, form)).toEqual(result());
  });

  test('without a time and an id every message is new', () => {
    const settings = { ...template, inbound: { from: 'sender', text: 'message' } };
    const ids = [1, 2].map(() => {
      const told = read(settings, form);
      return told?.kind === 'receipts' ? told.inbound?.[0]?.externalId : null;
    });
    expect(ids[0]).not.toBe(ids[1]);
  });

  test('an account without the map takes none', () => {
    expect(read(template, form)).toMatchObject({ kind: 'malformed' });
  });

  test('the profile has its own map', () => {
    expect(checkSettings(httpSms as never, { ...template, inbound: map })).toEqual([]);
    expect(checkSettings(httpSms as never, { ...kannel, inbound: map })).toEqual([
      { at: '/inbound', message: 'is not allowed with profile kannel' },
    ]);
  });
});
