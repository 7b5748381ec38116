import vendor from 'twilio';
import type { CallbackRequest } from '../adapter/channel.ts';
import type { Inbound } from '../adapter/inbound.ts';
import type { TwilioSettings } from './settings.ts';
import { twilio } from './twilio.ts';

const authToken = 'a-token';
const accountSid = `AC${'0a'.repeat(16)}`;
const settings: TwilioSettings = { accountSid, authToken, from: '+15005550006' };
const address = 'https://notify.example/callbacks/twilio/a/s';
const media = (name: string) =>
  `https://api.twilio.com/2010-04-01/Accounts/${accountSid}/Messages/MM${'1c'.repeat(16)}/Media/ME${name.repeat(16)}`;
const sid = `MM${'1c'.repeat(16)}`;

type Fields = Readonly<Record<string, string>>;

/** A callback signed by the vendor's own library. */
function signed(fields: Fields, query = ''): CallbackRequest {
  const publicUrl = `${address}${query}`;
  return {
    method: 'POST',
    url: `/callbacks/twilio/a/s${query}`,
    publicUrl,
    query: new URLSearchParams(query),
    headers: { 'x-twilio-signature': vendor.getExpectedTwilioSignature(authToken, publicUrl, fields) },
    body: Buffer.from(new URLSearchParams(fields).toString()),
    secretMatches: true,
    address: '192.0.2.1',
  };
}

const sent = { MessageSid: sid, From: '+4915112345678', To: '+15005550006', SmsStatus: 'received' };
const message: Inbound = {
  externalId: sid,
  from: '+4915112345678',
  to: '+15005550006',
  sentAt: null,
  type: 'text',
  body: { text: 'Hi' },
  contact: null,
  replyTo: null,
  file: null,
};

function inboundOf(fields: Fields): readonly Inbound[] {
  const result = twilio.parseCallback?.(signed({ ...sent, ...fields }), settings);
  if (result?.kind !== 'receipts') throw new Error(JSON.stringify(result));
  expect(result).toMatchObject({ answer: '<Response/>', answerType: 'text/xml', receipts: [] });
  return result.inbound ?? [];
}

const file = (name: string, type: string, caption: string | null) => ({
  body: { type: type.split('/')[0], caption, filename: null, mimeType: type, bytes: null },
  file: { path: new URL(media(name)).pathname },
});

test.each<[string, Fields, Partial<Inbound>]>([
  ['a text', { Body: 'Hi', NumMedia: '0' }, {}],
  ['a text with a name', { Body: 'Hi', ProfileName: 'Ada' }, { contact: { name: 'Ada' } }],
  ['an empty text', { Body: '' }, { body: { text: '' } }],
  ['a reply', { Body: 'Hi', OriginalRepliedMessageSid: 'SM1' }, { replyTo: 'SM1' }],
  [
    'a button',
    { Body: 'Yes', ButtonText: 'Yes', ButtonPayload: 'y' },
    { type: 'button', body: { text: 'Yes', payload: 'y' } },
  ],
  [
    'a button without a payload',
    { Body: 'Yes', ButtonText: 'Yes' },
    { type: 'button', body: { text: 'Yes', payload: null } },
  ],
  [
    'a place',
    { Body: '', Latitude: '52.5', Longitude: '-13.4', Label: 'Home' },
    { type: 'location', body: { latitude: 52.5, longitude: -13.4, name: 'Home', address: null } },
  ],
  ['half a place', { Body: 'Hi', Latitude: '52.5', Longitude: '' }, {}],
  ['WhatsApp', { Body: 'Hi', From: 'whatsapp:+4915112345678' }, {}],
  ['a short code', { Body: 'Hi', From: '12345' }, { from: '12345' }],
  ['no account number', { Body: 'Hi', To: '' }, { to: null }],
  ['STOP by Advanced Opt-Out', { Body: 'Hi', OptOutType: 'STOP' }, { consent: 'opted-out' }],
  ['START by Advanced Opt-Out', { Body: 'Hi', OptOutType: 'start' }, { consent: 'opted-in' }],
  ['HELP by Advanced Opt-Out', { Body: 'Hi', OptOutType: 'HELP' }, {}],
])('%s', (_, fields, changes) => {
  expect(inboundOf(fields)).toEqual([{ ...message, ...changes }]);
});

test('each file is a message; the text goes with the first', () => {
  const fields = { NumMedia: '3', Body: 'Look' };
  const files = {
    MediaUrl0: media('aa'),
    MediaContentType0: 'image/jpeg',
    MediaUrl1: media('bb'),
    MediaContentType1: 'video/mp4',
    MediaUrl2: media('cc'),
    MediaContentType2: 'application/pdf',
  };
  const document = file('cc', 'application/pdf', null);
  expect(inboundOf({ ...fields, ...files, OptOutType: 'STOP' })).toEqual([
    { ...message, ...file('aa', 'image/jpeg', 'Look'), type: 'image', consent: 'opted-out' },
    { ...message, ...file('bb', 'video/mp4', null), type: 'video', externalId: `${sid}/1` },
    {
      ...message,
      ...document,
      body: { ...document.body, type: 'document' },
      type: 'document',
      externalId: `${sid}/2`,
    },
  ]);
});

test.each([
  'https://evil.example/2010-04-01/x',
  media('aa').replace('Media/ME', 'Media/../ME'),
  'nonsense',
  '',
])('a file at %j cannot be read, but the message counts', (url) => {
  const [read] = inboundOf({ NumMedia: '1', MediaUrl0: url, MediaContentType0: 'image/png' });
  expect(read).toMatchObject({ type: 'image', file: null });
});

test.each([
  ['-1', 1],
  ['1e9', 10],
  ['999', 10],
  ['x', 1],
])('NumMedia %s makes %i messages', (NumMedia, count) => {
  expect(inboundOf({ NumMedia })).toHaveLength(count);
});

test('by GET, with everything in the signed address', () => {
  const query = `?MessageSid=${sid}&From=%2B4915112345678&Body=Hi`;
  const result = twilio.parseCallback?.({ ...signed({}, query), method: 'GET' }, settings);
  expect(result).toMatchObject({ inbound: [{ ...message, to: null }] });
});

test.each<[string, Fields]>([
  ['no id', { From: '+4915112345678', Body: 'Hi' }],
  ['nobody who wrote it', { MessageSid: sid, Body: 'Hi' }],
  ['an empty sender', { MessageSid: sid, From: 'whatsapp:', Body: 'Hi' }],
])('a message with %s is named as unreadable', (_, fields) => {
  expect(twilio.parseCallback?.(signed(fields), settings)).toMatchObject({ kind: 'malformed' });
});

test('an unsigned message is forged', () => {
  const request = signed({ ...sent, Body: 'Hi' });
  expect(twilio.parseCallback?.({ ...request, headers: {} }, settings)).toEqual({ kind: 'forged' });
  const other = Buffer.from(request.body.toString().replace('Hi', 'Ho'));
  expect(twilio.parseCallback?.({ ...request, body: other }, settings)).toEqual({ kind: 'forged' });
});
