import { createHmac } from 'node:crypto';
import { sendRequest } from '../../test/conformance/conformance.ts';
import type { CallbackResult, MediaType } from '../adapter/channel.ts';
import type { Inbound } from '../adapter/inbound.ts';
import { messageRequest } from './request.ts';
import type { WhatsappCloudSettings } from './settings.ts';
import { whatsappCloud } from './whatsapp-cloud.ts';

const settings: WhatsappCloudSettings = {
  phoneNumberId: '106540352242922',
  accessToken: 'EAAG',
  appSecret: 'app-secret',
};

function read(values: readonly object[]): Extract<CallbackResult, { kind: 'receipts' }> {
  const changes = values.map((value) => ({ field: 'messages', value }));
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '1', changes }] });
  const signature = createHmac('sha256', settings.appSecret).update(body).digest('hex');
  const result = whatsappCloud.parseCallback?.(
    {
      method: 'POST',
      url: '/',
      publicUrl: null,
      query: new URLSearchParams(),
      headers: { 'x-hub-signature-256': `sha256=${signature}` },
      body: Buffer.from(body),
      secretMatches: true,
      address: '192.0.2.1',
    },
    settings,
  );
  if (result?.kind !== 'receipts') throw new Error(JSON.stringify(result));
  return result;
}

const metadata = { display_phone_number: '15550109999', phone_number_id: '106540352242922' };
const contacts = [{ profile: { name: 'Ada' }, wa_id: '4915112345678' }];
const sent = { from: '4915112345678', id: 'wamid.1', timestamp: '1769860800' };
const value = (...messages: readonly object[]) => ({
  messaging_product: 'whatsapp',
  metadata,
  contacts,
  messages,
});
const message: Inbound = {
  externalId: 'wamid.1',
  from: '+4915112345678',
  to: '+15550109999',
  sentAt: new Date('2026-01-31T12:00:00Z'),
  type: 'text',
  body: { text: 'Hi' },
  contact: { name: 'Ada' },
  replyTo: null,
  file: null,
  account: '106540352242922',
};

const file = { id: '1003383421387256', mime_type: 'image/jpeg', sha256: 'x' };
const media = (type: MediaType, mimeType: string, changes: object = {}) => ({
  type,
  body: { type, caption: null, filename: null, mimeType, bytes: null, ...changes },
  file: { id: file.id },
});
const unsupported = (kind: string) => ({ type: 'unsupported', body: { kind } }) as const;
const button = (text: string, payload: string | null) =>
  ({ type: 'button', body: { text, payload } }) as const;
const reply = { from: '15550109999', id: 'wamid.0' };

test.each<[string, object, Partial<Inbound>]>([
  ['text', { type: 'text', text: { body: 'Hi' } }, {}],
  ['text as a reply', { type: 'text', text: { body: 'Hi' }, context: reply }, { replyTo: 'wamid.0' }],
  ['a forwarded text', { type: 'text', text: { body: 'Hi' }, context: { forwarded: true } }, {}],
  [
    'image',
    { type: 'image', image: { ...file, caption: 'Look' } },
    media('image', 'image/jpeg', { caption: 'Look' }),
  ],
  [
    'sticker',
    { type: 'sticker', sticker: { ...file, mime_type: 'image/webp', animated: true } },
    media('image', 'image/webp'),
  ],
  ['video', { type: 'video', video: { ...file, mime_type: 'video/mp4' } }, media('video', 'video/mp4')],
  [
    'a voice note',
    { type: 'audio', audio: { ...file, mime_type: 'audio/ogg; codecs=opus', voice: true } },
    media('audio', 'audio/ogg; codecs=opus'),
  ],
  [
    'document',
    {
      type: 'document',
      document: { ...file, mime_type: 'application/pdf', filename: 'a.pdf', caption: 'Bill' },
    },
    media('document', 'application/pdf', { filename: 'a.pdf', caption: 'Bill' }),
  ],
  [
    'location',
    {
      type: 'location',
      location: { latitude: 52.5, longitude: 13.4, name: 'Shop', address: 'Street 1', url: 'x' },
    },
    { type: 'location', body: { latitude: 52.5, longitude: 13.4, name: 'Shop', address: 'Street 1' } },
  ],
  [
    'contacts',
    {
      type: 'contacts',
      contacts: [
        {
          name: { formatted_name: 'Bo', first_name: 'Bo' },
          phones: [{ phone: '+1 555', wa_id: '1555', type: 'HOME' }],
        },
        { phones: [{ wa_id: '49' }, {}] },
        {},
      ],
    },
    {
      type: 'contact',
      body: {
        contacts: [
          { name: 'Bo', phones: ['+1 555'] },
          { name: null, phones: ['49'] },
          { name: null, phones: [] },
        ],
      },
    },
  ],
  [
    'the quick reply of a template',
    { type: 'button', button: { text: 'Stop', payload: 'stop-1' }, context: reply },
    { ...button('Stop', 'stop-1'), replyTo: 'wamid.0' },
  ],
  [
    'a reply button',
    {
      type: 'interactive',
      interactive: { type: 'button_reply', button_reply: { id: 'b', title: 'Yes' } },
      context: reply,
    },
    { ...button('Yes', 'b'), replyTo: 'wamid.0' },
  ],
  [
    'a row of a list',
    {
      type: 'interactive',
      interactive: { type: 'list_reply', list_reply: { id: 'r', title: 'Row', description: 'd' } },
    },
    button('Row', 'r'),
  ],
  [
    'a form',
    {
      type: 'interactive',
      interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"a":1}' } },
    },
    button('Sent', '{"a":1}'),
  ],
  [
    'a permission to call',
    { type: 'interactive', interactive: { type: 'call_permission_reply', call_permission_reply: {} } },
    unsupported('call_permission_reply'),
  ],
  [
    'a reaction',
    { type: 'reaction', reaction: { message_id: 'wamid.0', emoji: '👍' } },
    { type: 'reaction', body: { emoji: '👍' }, replyTo: 'wamid.0' },
  ],
  [
    'a reaction taken back',
    { type: 'reaction', reaction: { message_id: 'wamid.0' } },
    { type: 'reaction', body: { emoji: null }, replyTo: 'wamid.0' },
  ],
  [
    'a reaction taken back, as older versions tell it',
    { type: 'reaction', reaction: { message_id: 'wamid.0', emoji: '' } },
    { type: 'reaction', body: { emoji: null }, replyTo: 'wamid.0' },
  ],
  ['an order', { type: 'order', order: { catalog_id: '1', product_items: [] } }, unsupported('order')],
  [
    'an edited message',
    { type: 'edit', edit: { original_message_id: 'wamid.0', message: {} } },
    { ...unsupported('edited'), replyTo: 'wamid.0' },
  ],
  [
    'a deleted message',
    { type: 'revoke', revoke: { original_message_id: 'wamid.0' } },
    { ...unsupported('deleted'), replyTo: 'wamid.0' },
  ],
  [
    'what Meta does not support',
    { type: 'unsupported', errors: [{ code: 131051 }] },
    unsupported('unsupported'),
  ],
  [
    'what Meta names but does not support',
    { type: 'unsupported', unsupported: { type: 'poll_creation' } },
    unsupported('poll_creation'),
  ],
  [
    'another word of the system',
    { type: 'system', system: { type: 'customer_identity_changed' } },
    unsupported('customer_identity_changed'),
  ],
  ['a kind of tomorrow', { type: 'hologram', hologram: { id: '1' } }, unsupported('hologram')],
  ['a name of the language', { type: 'constructor' }, unsupported('constructor')],
  ['no kind', {}, unsupported('unknown')],
  ['an image without a file', { type: 'image', image: {} }, unsupported('image')],
  [
    'a place beyond the earth',
    { type: 'location', location: { latitude: 91, longitude: 0 } },
    unsupported('location'),
  ],
  ['a text without a text', { type: 'text' }, unsupported('text')],
  ['no time', { type: 'text', text: { body: 'Hi' }, timestamp: 'soon' }, { sentAt: null }],
])('%s', (_, content, changes) => {
  expect(read([value({ ...sent, ...content })])).toEqual({
    kind: 'receipts',
    receipts: [],
    inbound: [{ ...message, ...changes }],
  });
});

test('a person whose number is hidden has an id and a user name', () => {
  const profile = { name: 'Ada', username: '@ada' };
  const hidden = {
    ...value({ from_user_id: 'US.13491208655302741918', id: 'wamid.1', type: 'text', text: { body: 'Hi' } }),
    contacts: [{ profile, user_id: 'US.13491208655302741918' }],
  };
  expect(read([hidden]).inbound).toEqual([
    { ...message, from: 'US.13491208655302741918', sentAt: null, contact: profile },
  ]);
});

test('the number and the id of a person that come together are a pair, unless one of them is no address', () => {
  const both = { ...sent, from_user_id: 'US.13491208655302741918', type: 'text', text: { body: 'Hi' } };
  const pair = { from: 'US.13491208655302741918', to: message.from, told: true };
  expect(read([value(both)]).moved).toEqual([{ ...pair, account: metadata.phone_number_id }]);
  expect(read([value({ ...both, from_user_id: '\u0000' })]).moved).toBeUndefined();
  expect(read([value({ ...both, from: '12' })]).moved).toBeUndefined();
});

test('messages and statuses of several numbers in one callback', () => {
  const other = { display_phone_number: '+1 555 010 8888', phone_number_id: '2' };
  const text = (id: string, from: string) => ({ ...sent, id, from, type: 'text', text: { body: id } });
  const statuses = [{ id: 'wamid.9', status: 'delivered' }];
  const result = read([
    { ...value(text('a', '4915112345678'), text('b', '4915112345679')), statuses },
    { ...value(text('c', '4915112345678')), metadata: other, contacts: [] },
  ]);
  expect(result.receipts).toMatchObject([{ externalId: 'wamid.9', account: metadata.phone_number_id }]);
  expect(
    result.inbound?.map(({ externalId, account, to, contact }) => [externalId, account, to, contact]),
  ).toEqual([
    ['a', metadata.phone_number_id, '+15550109999', { name: 'Ada' }],
    ['b', metadata.phone_number_id, '+15550109999', null],
    ['c', '2', '+15550108888', null],
  ]);
});

test('as many updates as Meta puts into one callback, and no more', () => {
  const all = (count: number) => [value(...Array<object>(count).fill({ ...sent, type: 'x' }))];
  expect(read(all(1_000)).inbound).toHaveLength(1_000);
  expect(() => read(all(1_001))).toThrow('more than 1,000 updates');
});

test.each([
  ['user_changed_number', { wa_id: '12195555358' }],
  ['customer_changed_number', { new_wa_id: '12195555358' }],
])('a new number: %s', (type, number) => {
  const system = { type, body: 'User changed', ...number };
  expect(read([value({ ...sent, type: 'system', system })])).toEqual({
    kind: 'receipts',
    receipts: [],
    moved: [{ from: '+4915112345678', to: '+12195555358', account: metadata.phone_number_id }],
  });
});

test('a message without an id has the same stand-in whenever it comes', () => {
  const { id: _, ...rest } = sent;
  const ids = [1, 2].map(
    () => read([value({ ...rest, type: 'text', text: { body: 'Hi' } })]).inbound?.[0]?.externalId,
  );
  expect(ids[0]).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(ids[1]).toBe(ids[0]);
});

test('a message of nobody is passed over', () => {
  expect(read([value({ id: 'wamid.1', type: 'text', text: { body: 'Hi' } })]).inbound).toBeUndefined();
});

describe('a send', () => {
  const context = { settings, baseUrl: 'https://graph.facebook.com' };
  const body = (changes: Parameters<typeof sendRequest>[0]) =>
    JSON.parse(messageRequest(sendRequest(changes), null, context).body as string) as object;
  const replyTo = { externalId: 'wamid.1', isInbound: true, text: 'Hi' };

  test('quotes the message that it answers, in its first part', () => {
    expect(body({ replyTo })).toMatchObject({ context: { message_id: 'wamid.1' } });
    expect(body({ replyTo, part: 1, parts: 2 })).not.toHaveProperty('context');
    expect(body({})).not.toHaveProperty('context');
  });

  test('reaches a person whose number is hidden', () => {
    expect(body({ to: 'US.13491208655302741918' })).toMatchObject({ recipient: 'US.13491208655302741918' });
    expect(body({ to: 'US.13491208655302741918' })).not.toHaveProperty('to');
  });
});
