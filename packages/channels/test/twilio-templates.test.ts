import type { Template, TemplateParameters } from '@notify/core';
import { createHttpClient, type HttpRequest } from '@notify/egress';
import {
  defaultContents,
  type Receiver,
  startReceiver,
  startTwilioPeer,
  type TwilioContent,
  type TwilioPeer,
} from '@notify/testkit';
import type { TemplateList } from '../src/adapter/channel.ts';
import { contentUrl } from '../src/twilio/list-contents.ts';
import type { TwilioSettings } from '../src/twilio/settings.ts';
import { twilio } from '../src/twilio/twilio.ts';
import { noStream, sendRequest } from './conformance/conformance.ts';
import { openLine } from './peers.ts';

const { to } = sendRequest();
const [order, support, loginCode] = defaultContents as readonly [TwilioContent, TwilioContent, TwilioContent];
let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const line = (peer: TwilioPeer) => openLine('twilio', peer.url, peer.settings, receiver);

function send(on: ReturnType<typeof line>, name: string, parameters?: TemplateParameters) {
  const template = { name, language: 'en', ...(parameters === undefined ? {} : { parameters }) };
  return on.send({ type: 'template', body: { template, text: 'as the recipient reads it' } });
}

describe('sending', () => {
  test.each<[string, string, TemplateParameters | undefined, string]>([
    [
      'positions',
      order.sid,
      { body: ['Ada', '100 % & "Ω" 😀'] },
      'Hi Ada, your order 100 % & "Ω" 😀 has been shipped.',
    ],
    [
      'positions by name',
      order.sid,
      { body: { '2': '7', '1': 'Ada' } },
      'Hi Ada, your order 7 has been shipped.',
    ],
    ['names', support.sid, { body: { name: 'Ada' } }, 'Hi Ada, call us if we can help.'],
    ['a default value', support.sid, undefined, 'Hi customer, call us if we can help.'],
    ['empty parameters', support.sid, { body: {}, buttons: [] }, 'Hi customer, call us if we can help.'],
  ])('%s', async (_, sid, parameters, text) => {
    await using peer = await startTwilioPeer();
    await using on = line(peer);
    expect(await send(on, sid, parameters)).toMatchObject({ kind: 'accepted' });
    expect(peer.ledger()).toMatchObject([{ to, text, asked: 1 }]);
  });

  test.each<[string, string, TemplateParameters, number, string]>([
    ['a SID that is none', 'order_shipped', {}, 21655, 'template-not-found'],
    ['a SID of another account', `HX${'f'.repeat(32)}`, {}, 21655, 'template-not-found'],
    ['an empty text', order.sid, { body: ['', '1'] }, 21656, 'template-parameters-invalid'],
    ['a line break', order.sid, { body: ['A\nB', '1'] }, 21656, 'template-parameters-invalid'],
    ['a tab', order.sid, { body: ['A\tB', '1'] }, 21656, 'template-parameters-invalid'],
    ['five spaces', order.sid, { body: ['A     B', '1'] }, 21656, 'template-parameters-invalid'],
    ['1,601 characters', order.sid, { body: ['x'.repeat(1_601), '1'] }, 21658, 'template-parameters-invalid'],
  ])('%s is refused', async (_, sid, parameters, code, errorCode) => {
    await using peer = await startTwilioPeer();
    await using on = line(peer);
    const refusal = {
      kind: 'rejected',
      errorCode,
      providerCode: String(code),
      text: expect.stringContaining(`${code}: `),
    };
    expect(await send(on, sid, parameters)).toEqual(refusal);
  });

  test.each<[string, TemplateParameters]>([
    ['a header', { header: { text: 'Monday' }, body: ['Ada', '1'] }],
    ['a button', { body: ['Ada', '1'], buttons: [{ index: 0, payload: 'x' }] }],
  ])('%s is refused without a call, because nothing is dropped silently', async (_, parameters) => {
    await using peer = await startTwilioPeer();
    await using on = line(peer);
    const refusal = { kind: 'rejected', errorCode: 'template-parameters-invalid' };
    expect(await send(on, order.sid, parameters)).toMatchObject(refusal);
    expect(peer.ledger()).toEqual([]);
  });

  test.each<[string, string, TemplateParameters, string, string]>([
    ['a variable too few', order.sid, { body: ['Ada'] }, '63028', 'template-parameters-invalid'],
    ['one too many', order.sid, { body: ['Ada', '1', 'x'] }, '63028', 'template-parameters-invalid'],
    ['a content for WhatsApp only', loginCode.sid, { body: ['123456'] }, '63005', 'content-rejected'],
  ])('%s is reported later', async (_, sid, parameters, providerCode, errorCode) => {
    await using peer = await startTwilioPeer();
    await using on = line(peer);
    expect(await send(on, sid, parameters)).toMatchObject({ kind: 'accepted' });
    await receiver.atLeast(1);
    expect(on.read(receiver.received[0]!)).toMatchObject({
      receipts: [{ status: 'failed', errorCode, providerCode }],
    });
  });

  test.each([
    [63016, 'outside-24h-window'],
    [63049, 'marketing-limited'],
  ])('%d, reported later, is %s', async (errorCode, expected) => {
    await using peer = await startTwilioPeer();
    await using on = line(peer);
    peer.behave({ reports: [{ status: 'undelivered', errorCode }] });
    await send(on, support.sid);
    await receiver.atLeast(1);
    expect(on.read(receiver.received[0]!)).toMatchObject({ receipts: [{ errorCode: expected }] });
  });
});

describe('listing', () => {
  const http = createHttpClient({ allowPrivate: true, allow: [], userAgent: 'notify-test' });
  afterAll(() => http.close());
  const list = (peer: TwilioPeer, changes: Partial<TwilioSettings> = {}) =>
    twilio.listTemplates!({
      settings: { ...peer.settings, ...changes },
      http,
      baseUrl: peer.url,
      signal: new AbortController().signal,
    });

  function templatesOf(result: TemplateList): readonly Template[] {
    if (result.kind === 'failed') throw new Error(result.detail);
    return result.templates;
  }

  const text = (sid: number, body: string): TwilioContent => ({
    sid: `HX${String(sid).padStart(32, '0')}`,
    friendly_name: `text_${sid}`,
    language: 'en',
    variables: {},
    types: { 'twilio/text': { body } },
  });

  test('each content is listed with its variables and their default values', async () => {
    await using peer = await startTwilioPeer();
    expect(templatesOf(await list(peer))).toEqual([
      {
        name: order.sid,
        language: 'en',
        label: 'order_shipped',
        category: null,
        status: 'approved',
        reason: null,
        named: false,
        header: null,
        body: {
          text: 'Hi {{1}}, your order {{2}} has been shipped.',
          variables: [
            { name: '1', example: null },
            { name: '2', example: null },
          ],
        },
        footer: null,
        buttons: [],
      },
      expect.objectContaining({
        name: support.sid,
        named: true,
        body: {
          text: 'Hi {{name}}, call us if we can help.',
          variables: [{ name: 'name', example: 'customer' }],
        },
        buttons: [{ kind: 'other', text: 'Talk to an agent' }],
      }),
      expect.objectContaining({
        name: loginCode.sid,
        category: 'authentication',
        status: 'disabled',
        reason: 'Twilio does not send whatsapp/authentication as SMS. Add twilio/text to it.',
        body: { text: '', variables: [{ name: '1', example: '123456' }] },
        buttons: [{ kind: 'other', text: 'Copy code' }],
      }),
    ]);
  });

  const action = { type: 'URL', title: 'Open', url: 'https://a.example/{{2}}' };
  test.each<[string, object, Partial<Template>, readonly string[]]>([
    [
      'twilio/media',
      { body: 'Hi {{1}}', media: ['https://a.example/{{2}}.png'] },
      { status: 'approved' },
      ['1', '2'],
    ],
    [
      'twilio/call-to-action',
      { body: 'Hi {{1}}', actions: [action] },
      { status: 'disabled', buttons: [{ kind: 'url', text: 'Open', url: action.url, variable: null }] },
      ['1', '2'],
    ],
    [
      'twilio/card',
      { title: 'Hi {{1}}', subtitle: 'Bye', actions: [action] },
      { status: 'disabled' },
      ['1', '2'],
    ],
    [
      'whatsapp/card',
      { body: 'Hi {{1}}', footer: 'STOP ends this' },
      { status: 'disabled', footer: 'STOP ends this' },
      ['1'],
    ],
    [
      'twilio/location',
      { latitude: 1.5, longitude: 2, label: 'At {{2}}' },
      { status: 'disabled', named: true },
      ['2'],
    ],
  ])('%s', async (type, value, expected, names) => {
    await using peer = await startTwilioPeer();
    peer.setContents([{ ...text(1, ''), types: { [type]: value } }]);
    const [template] = templatesOf(await list(peer));
    expect(template).toMatchObject(expected);
    expect(template?.body.variables.map(({ name }) => name)).toEqual(names);
  });

  test('a Messaging Service, which may send by RCS, takes all types of Twilio’s own', async () => {
    await using peer = await startTwilioPeer();
    const card = { title: 'Hi' };
    peer.setContents([
      { ...text(1, ''), types: { 'twilio/card': card } },
      { ...text(2, ''), types: { 'whatsapp/card': card } },
    ]);
    const listed = templatesOf(await list(peer, { messagingServiceSid: peer.messagingServiceSid }));
    expect(listed.map(({ status }) => status)).toEqual(['approved', 'disabled']);
  });

  test('every page is read', async () => {
    await using peer = await startTwilioPeer();
    const contents = Array.from({ length: 250 }, (_, index) => text(index, 'Hi'));
    peer.setContents(contents);
    expect(templatesOf(await list(peer)).map(({ name }) => name)).toEqual(contents.map(({ sid }) => sid));
  });

  test('an API key lists, a wrong token is refused, and trouble refuses nothing', async () => {
    await using peer = await startTwilioPeer();
    expect((await list(peer, peer.apiKey)).kind).toBe('listed');
    expect(await list(peer, { authToken: 'wrong' })).toEqual({
      kind: 'failed',
      refused: true,
      detail: '20003: Authenticate',
    });
    peer.behave({ list: { error: 20503 }, times: 1 });
    expect(await list(peer)).toMatchObject({ kind: 'failed', refused: false });
    for (const document of [
      { contents: {} },
      { contents: [] },
      { contents: [], meta: { next_page_url: 1 } },
    ]) {
      peer.behave({ list: { document }, times: 1 });
      expect(await list(peer)).toMatchObject({ kind: 'failed', refused: false });
    }
  });

  test('the address of the next page gives only a position: credentials go nowhere else', async () => {
    const asked: HttpRequest[] = [];
    const meta = {
      next_page_url: 'http://elsewhere.example/v1/ContentAndApprovals?Page=1&PageToken=PT1&X=1',
    };
    const answers = [
      { contents: [], meta },
      { contents: [], meta: { next_page_url: null } },
    ];
    const recording = {
      request: async (request: HttpRequest) => {
        asked.push(request);
        const body = Buffer.from(JSON.stringify(answers[asked.length - 1]));
        return { ok: true, status: 200, headers: {}, body, truncated: false, durationMs: 1 } as const;
      },
      stream: noStream,
      close: async () => undefined,
    };
    const { signal } = new AbortController();
    const settings = { accountSid: 'AC', authToken: 'token', from: '12345' };
    await twilio.listTemplates!({ settings, http: recording, baseUrl: twilio.baseUrl!, signal });
    expect(asked.map(({ url }) => url)).toEqual([
      'https://content.twilio.com/v1/ContentAndApprovals?PageSize=100',
      'https://content.twilio.com/v1/ContentAndApprovals?PageSize=100&Page=1&PageToken=PT1',
    ]);
  });

  test.each([
    ['https://api.twilio.com', 'https://content.twilio.com'],
    ['https://api.dublin.ie1.twilio.com', 'https://content.dublin.ie1.twilio.com'],
    ['http://127.0.0.1:4102', 'http://127.0.0.1:4102'],
    ['https://api.twilio.com.evil.example', 'https://api.twilio.com.evil.example'],
  ])('contents of %s are at %s', (baseUrl, expected) => {
    expect(contentUrl(baseUrl)).toBe(expected);
  });
});
