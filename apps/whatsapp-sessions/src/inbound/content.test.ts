import { expect, test } from '@jest/globals';
import { proto } from '@whiskeysockets/baileys';
import { cardOf } from './card.ts';
import { contentOf } from './content.ts';

/** Reads a message that went over the wire. */
const read = (message: proto.IMessage) =>
  contentOf(proto.Message.decode(proto.Message.encode(proto.Message.fromObject(message)).finish()));

const mediaKey = Buffer.alloc(32, 1);
const fileSha256 = Buffer.alloc(32, 2);
const file = { directPath: '/v/file?oe=1', mediaKey, fileSha256, fileLength: 1_234 };
const media = { caption: null, filename: null, mimeType: null, bytes: 1_234 };
const place = { path: '/v/file?oe=1', mediaKey: Buffer.from(mediaKey), sha256: Buffer.from(fileSha256) };
const quoting = { contextInfo: { stanzaId: 'QUOTED' } };
const { Type } = proto.Message.ProtocolMessage;

/** What is read of each message: its type and body, and what it answers. */
const cases: Record<string, [proto.IMessage, string, object, string?]> = {
  'a text': [{ conversation: 'Hello' }, 'text', { text: 'Hello' }],
  'an empty text': [{ conversation: '' }, 'text', { text: '' }],
  'a text that quotes another message': [
    { extendedTextMessage: { text: 'Yes', ...quoting } },
    'text',
    { text: 'Yes' },
    'QUOTED',
  ],
  'a text in a chat whose messages disappear': [
    { ephemeralMessage: { message: { extendedTextMessage: { text: 'Soon gone' } } } },
    'text',
    { text: 'Soon gone' },
  ],
  'a text beside a key of the group': [
    { senderKeyDistributionMessage: { groupId: 'g' }, messageContextInfo: {}, conversation: 'Hi' },
    'text',
    { text: 'Hi' },
  ],
  'a location': [
    { locationMessage: { degreesLatitude: 52.5, degreesLongitude: 13.4, name: 'Berlin', address: '' } },
    'location',
    { latitude: 52.5, longitude: 13.4, name: 'Berlin', address: null },
  ],
  'a live location': [
    { liveLocationMessage: { degreesLatitude: 0, degreesLongitude: -1 } },
    'location',
    { latitude: 0, longitude: -1, name: null, address: null },
  ],
  'a contact': [
    {
      contactMessage: { displayName: 'Ada', vcard: 'BEGIN:VCARD\nTEL;waid=15550001:+1 555 0001\nEND:VCARD' },
    },
    'contact',
    { contacts: [{ name: 'Ada', phones: ['+15550001'] }] },
  ],
  'several contacts': [
    { contactsArrayMessage: { contacts: [{ displayName: 'Ada' }, { displayName: 'Bob' }] } },
    'contact',
    {
      contacts: [
        { name: 'Ada', phones: [] },
        { name: 'Bob', phones: [] },
      ],
    },
  ],
  'a reaction': [
    { reactionMessage: { key: { id: 'OURS' }, text: '👍' } },
    'reaction',
    { emoji: '👍' },
    'OURS',
  ],
  'a reaction that was taken back': [
    { reactionMessage: { key: { id: 'OURS' }, text: '' } },
    'reaction',
    { emoji: null },
    'OURS',
  ],
  'a pressed button': [
    { buttonsResponseMessage: { selectedButtonId: 'yes', selectedDisplayText: 'Yes', ...quoting } },
    'button',
    { text: 'Yes', payload: 'yes' },
    'QUOTED',
  ],
  'a chosen row of a list': [
    { listResponseMessage: { title: 'Monday', singleSelectReply: { selectedRowId: 'mon' }, ...quoting } },
    'button',
    { text: 'Monday', payload: 'mon' },
    'QUOTED',
  ],
  'a pressed button of a template': [
    { templateButtonReplyMessage: { selectedId: 'a', selectedDisplayText: 'A', ...quoting } },
    'button',
    { text: 'A', payload: 'a' },
    'QUOTED',
  ],
  'an answer to an interactive message': [
    { interactiveResponseMessage: { body: { text: 'Go' }, nativeFlowResponseMessage: { paramsJson: '{}' } } },
    'button',
    { text: 'Go', payload: '{}' },
  ],
  'an edit': [
    {
      editedMessage: {
        message: { protocolMessage: { type: Type.MESSAGE_EDIT, key: { id: 'OLD' }, editedMessage: {} } },
      },
    },
    'unsupported',
    { kind: 'edited' },
    'OLD',
  ],
  'a deletion': [
    { protocolMessage: { type: Type.REVOKE, key: { id: 'OLD' } } },
    'unsupported',
    { kind: 'deleted' },
    'OLD',
  ],
  'a change of how long messages stay': [
    { protocolMessage: { type: Type.EPHEMERAL_SETTING } },
    'unsupported',
    { kind: 'ephemeral-setting' },
  ],
  'a poll': [{ pollCreationMessageV3: { name: 'Lunch?' } }, 'unsupported', { kind: 'poll' }],
  'an answer to a poll': [{ pollUpdateMessage: {} }, 'unsupported', { kind: 'poll-vote' }],
  'an invitation to a group': [
    { groupInviteMessage: { groupJid: 'g' } },
    'unsupported',
    { kind: 'group-invite' },
  ],
  'an image that may be viewed once': [
    { viewOnceMessageV2: { message: { imageMessage: file } } },
    'unsupported',
    { kind: 'view-once' },
  ],
  'a video that says by itself that it may be viewed once': [
    { videoMessage: { ...file, viewOnce: true } },
    'unsupported',
    { kind: 'view-once' },
  ],
  'a location without a place': [{ locationMessage: {} }, 'unsupported', { kind: 'location' }],
};

test.each(Object.entries(cases))('%s', (_, [message, type, body, replyTo = null]) => {
  expect(read(message)).toEqual({ type, body, replyTo, file: null });
});

/** What is read of each file: the type of its body, what the body says beside `media`, and the kind of its key. */
const files: Record<string, [proto.IMessage, string, object]> = {
  'an image': [
    { imageMessage: { ...file, caption: 'A cat', mimetype: 'image/jpeg' } },
    'image',
    { caption: 'A cat', mimeType: 'image/jpeg' },
  ],
  'a sticker is an image': [
    { stickerMessage: { ...file, mimetype: 'image/webp' } },
    'image',
    { mimeType: 'image/webp' },
  ],
  'an animated sticker': [{ lottieStickerMessage: { message: { stickerMessage: file } } }, 'image', {}],
  'a video': [{ videoMessage: { ...file, caption: '' } }, 'video', {}],
  'a round video': [{ ptvMessage: file }, 'video', {}],
  'a voice message': [
    { audioMessage: { ...file, ptt: true, mimetype: 'audio/ogg; codecs=opus' } },
    'audio',
    { mimeType: 'audio/ogg; codecs=opus' },
  ],
  'a document': [{ documentMessage: { ...file, fileName: 'a.pdf' } }, 'document', { filename: 'a.pdf' }],
  'a document with a caption': [
    {
      documentWithCaptionMessage: {
        message: { documentMessage: { ...file, fileName: 'a.pdf', caption: 'Read' } },
      },
    },
    'document',
    { filename: 'a.pdf', caption: 'Read' },
  ],
  'an image of an album': [{ associatedChildMessage: { message: { imageMessage: file } } }, 'image', {}],
};

test.each(Object.entries(files))('%s', (_, [message, type, body]) => {
  const { file: found, ...shown } = read(message)!;
  expect(shown).toEqual({ type, body: { type, ...media, ...body }, replyTo: null });
  const bytes = (one: Uint8Array | null | undefined) => (one ? Buffer.from(one) : one);
  expect({ ...found, mediaKey: bytes(found?.mediaKey), sha256: bytes(found?.sha256) }).toEqual({
    kind: type,
    ...place,
  });
});

test.each([
  [Number.NaN, 0],
  [0, Infinity],
  [91, 0],
  [0, -180.1],
])('%d, %d is no place', (degreesLatitude, degreesLongitude) => {
  for (const kind of ['locationMessage', 'liveLocationMessage'])
    expect(read({ [kind]: { degreesLatitude, degreesLongitude } })).toMatchObject({ type: 'unsupported' });
});

test('a file lies on the host of WhatsApp, whatever host its sender names', () => {
  const { directPath: _, ...without } = file;
  expect(read({ imageMessage: { ...without, url: 'https://evil.example/v/x?a=1' } })?.file?.path).toBe(
    '/v/x?a=1',
  );
  expect(read({ imageMessage: { ...file, directPath: 'evil.example' } })?.file).toBeNull();
  expect(read({ imageMessage: { directPath: '/v/x' } })?.file).toBeNull();
});

test('messages without content are none', () => {
  expect(read({ senderKeyDistributionMessage: { groupId: 'g' } })).toBeNull();
  expect(read({ messageContextInfo: {} })).toBeNull();
  expect(read({})).toBeNull();
});

test('every kind of the protocol is read', () => {
  const kinds = Object.entries(proto.Message.prototype).flatMap(([kind, field]) =>
    typeof field === 'function' || kind === 'conversation' ? [] : [kind],
  );
  expect(kinds.length).toBeGreaterThan(80);
  for (const kind of kinds) expect(() => read({ [kind]: {} })).not.toThrow();
});

test('numbers of a card are those that WhatsApp names, else as written', () => {
  const vcard = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    'FN:Ada Love',
    ' lace',
    'item1.TEL;type=CELL;waid=15550001:+1 (555) 0001',
    'TEL:tel:+44 20 1234',
    'EMAIL:ada@example.com',
    'END:VCARD',
  ].join('\r\n');
  expect(cardOf(null, vcard)).toEqual({ name: 'Ada Lovelace', phones: ['+15550001', '+44 20 1234'] });
  expect(cardOf('', '')).toEqual({ name: null, phones: [] });
});

/** Cards that a backtracking search would try from every line. Without FN and TEL, so that all of it is looked at. */
const hostile: Record<string, (length: number) => string> = {
  'parameters without an end': (length) => 'FN;a\n'.repeat(length / 5),
  'numbers without an end': (length) => 'TEL;'.repeat(length / 4),
  'groups without a name': (length) => 'a.'.repeat(length / 2),
  'folded lines': (length) => '\r\n '.repeat(length / 3),
  'account ids': (length) => `TEL${';waid='.repeat(length / 6)}:`,
};

test.each(Object.entries(hostile))('the time for a card grows with its length only: %s', (_, make) => {
  const cards = [4_000, 16_000].map(make);
  const spent = cards.map(() => Infinity);
  // In turns, and the least of many times: a pause of the process counts for neither.
  for (let run = 0; run < 200; run += 1)
    for (const [index, card] of cards.entries()) {
      const beganAt = performance.now();
      for (let times = 0; times < 5; times += 1) cardOf(null, card);
      spent[index] = Math.min(spent[index]!, performance.now() - beganAt);
    }
  expect(spent[1]! / spent[0]!).toBeLessThan(8);
});

test('only the beginning of a card and the first cards are read', () => {
  const filler = `PHOTO:${'x'.repeat(16_384)}`;
  expect(cardOf(null, `TEL:1\n${filler}\nTEL:2\nFN:Ada`)).toEqual({ name: null, phones: ['1'] });
  const contacts = Array.from({ length: 30 }, (_, index) => ({ displayName: String(index) }));
  const { body } = read({ contactsArrayMessage: { contacts } })!;
  expect('contacts' in body && body.contacts.map(({ name }) => name)).toEqual(
    contacts.slice(0, 20).map(({ displayName }) => displayName),
  );
});
