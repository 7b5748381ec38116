import { smsSegments, type SmsAlphabet } from '@notify/core';
import { decodePdu } from '../pdu/decode.ts';
import { encodePdu } from '../pdu/encode.ts';
import { smppAddress } from './addresses.ts';
import { decodeText, encodeDefault, encodeUcs2 } from './alphabets.ts';
import { type Delivery, readMessage } from './incoming.ts';
import { type LongTexts, type TextPart, textParts } from './parts.ts';
import { submitPart } from './submit.ts';
import { validityPeriod } from './validity.ts';

const udh = { alphabet: 'gsm-03.38', longTexts: 'udh' } as const;

test('GSM 03.38 is unpacked, with escapes', () => {
  expect(encodeDefault('@£aΩ€[à', 'gsm-03.38').toString('hex')).toBe('000161151b651b3c7f');
});

test('UCS-2 is big endian, without a byte order mark', () => {
  expect(encodeUcs2('ж😀').toString('hex')).toBe('0436d83dde00');
});

const samples: readonly [SmsAlphabet, string][] = [
  ['gsm-03.38', '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ ¤¡ÄÖÑÜ§¿äöñüà\f^{}\\[~]|€'],
  ['latin-1', 'é[~]à'],
  ['ascii', 'plain [text]'],
];

test.each(samples)('what is written in %s is read', (alphabet, text) => {
  expect(decodeText(encodeDefault(text, alphabet), 0, alphabet)).toBe(text);
});

test.each([
  [0x00, '00201b1b651b', '@  € '],
  [0x01, '48690a', 'Hi\n'],
  [0x03, 'e9fa', 'éú'],
  [0x08, '0436d83dde00', 'ж😀'],
  [0x08, '043600', 'ж'],
  [0x18, '0436', 'ж'],
  [0xf0, '00', '@'],
  [0x11, '00', '@'],
  [0x06, 'e6', 'ц'],
  [0x02, '0102', null],
  [0x04, '0102', null],
  [0xf5, '0102', null],
  [0x15, '0102', null],
])('data_coding %d reads %s', (dataCoding, hex, text) => {
  expect(decodeText(Buffer.from(hex, 'hex'), dataCoding, 'gsm-03.38')).toBe(text);
});

const envelope = {
  from: smppAddress('Notify'),
  to: smppAddress('+491701234567'),
  lifetimeMs: 90_061_999,
  wantsReceipt: true,
};

/** A part after the wire, as a person's phone would send it back. */
function received(part: TextPart): Delivery {
  const sent = decodePdu(encodePdu({ ...submitPart(envelope, part), sequence: 1 }));
  if (sent.kind !== 'pdu' || sent.pdu.command !== 'submit_sm') throw new Error('not a submit_sm');
  return { ...sent.pdu, command: 'deliver_sm' };
}

test.each<[string, string, LongTexts, number]>([
  ['a text of one segment', 'Hello €', 'udh', 1],
  ['160 septets', 'a'.repeat(160), 'udh', 1],
  ['161 septets', 'a'.repeat(161), 'udh', 2],
  ['an escape at the edge', `${'a'.repeat(152)}€${'b'.repeat(152)}`, 'udh', 3],
  ['70 units', 'ж'.repeat(70), 'sar', 1],
  ['a surrogate pair at the edge', `${'ж'.repeat(66)}😀${'ж'.repeat(66)}`, 'udh', 3],
  ['161 septets with sar_*', 'a'.repeat(161), 'sar', 2],
  ['a payload', 'ж'.repeat(700), 'payload', 1],
])('%s', (_, text, longTexts, count) => {
  const parts = textParts(text, { alphabet: 'gsm-03.38', longTexts }, 0x1234);
  expect(parts).toHaveLength(count);
  const messages = parts.map((part) => readMessage(received(part), 'gsm-03.38'));
  expect(messages.map((each) => each.text).join('')).toBe(text);
  const reference = longTexts === 'sar' ? 0x1234 : 0x34;
  expect(messages.map((each) => each.piece)).toEqual(
    count === 1 ? [null] : parts.map((__, index) => ({ reference, index: index + 1, total: count })),
  );
});

test('the first part of a long text, octet by octet', () => {
  const [first] = textParts('a'.repeat(161), udh, 0x1ff);
  expect(first).toMatchObject({ dataCoding: 0, esmClass: 0x40, tlvs: [] });
  expect(first!.shortMessage.toString('hex')).toBe(`050003ff0201${'61'.repeat(153)}`);
  const [sar] = textParts('a'.repeat(161), { ...udh, longTexts: 'sar' }, 0x1ff);
  expect(sar).toMatchObject({ esmClass: 0 });
  expect(sar!.tlvs.map(({ tag, value }) => [tag, value.toString('hex')])).toEqual([
    [0x020c, '01ff'],
    [0x020e, '02'],
    [0x020f, '01'],
  ]);
});

test.each<[SmsAlphabet, string, number]>([
  ['gsm-03.38', 'é€', 0],
  ['latin-1', 'é€', 8],
  ['latin-1', 'é[', 0],
  ['ascii', 'é', 8],
])('%s writes %j with data_coding %d', (alphabet, text, dataCoding) => {
  const [part] = textParts(text, { ...udh, alphabet }, 1);
  expect(part!.dataCoding).toBe(dataCoding);
  expect(decodeText(part!.shortMessage, dataCoding, alphabet)).toBe(text);
});

test('a text has as many parts as core counts', () => {
  for (const text of ['a€'.repeat(300), 'жa'.repeat(200), '€'.repeat(81)])
    expect(textParts(text, udh, 1)).toHaveLength(smsSegments(text).segments);
  expect(() => textParts('ж'.repeat(67 * 256), udh, 1)).toThrow(new RangeError('a text of 256 segments'));
});

test('a submit_sm for a part', () => {
  const [part] = textParts('Hello', udh, 1);
  expect(submitPart(envelope, part!).fields).toMatchObject({
    sourceAddrTon: 5,
    sourceAddrNpi: 0,
    sourceAddr: 'Notify',
    destAddrTon: 1,
    destAddrNpi: 1,
    destinationAddr: '491701234567',
    validityPeriod: '000001010101000R',
    registeredDelivery: 1,
  });
});

test.each([
  ['+491701234567', { ton: 1, npi: 1, address: '491701234567' }],
  ['Notify 24', { ton: 5, npi: 0, address: 'Notify 24' }],
  ['77222', { ton: 3, npi: 0, address: '77222' }],
  ['01701234567', { ton: 0, npi: 1, address: '01701234567' }],
])('the address %s', (address, wire) => {
  expect(smppAddress(address)).toEqual(wire);
});

test('settings win over the kind of an address', () => {
  const settings = { 'short-code': { ton: 6, npi: 9 } };
  expect(smppAddress('77222', settings)).toEqual({ ton: 6, npi: 9, address: '77222' });
});

test.each([
  [0, '000000000001000R'],
  [1_999, '000000000001000R'],
  [3_600_000, '000000010000000R'],
  [604_800_000, '000007000000000R'],
  [Infinity, '000030235959000R'],
])('what remains of %d ms is %s', (lifetimeMs, period) => {
  expect(validityPeriod(lifetimeMs)).toBe(period);
});

const incoming = (changes: Partial<Delivery['fields']>, tlvs: Delivery['tlvs'] = []): Delivery => {
  const { fields } = received(textParts('x', udh, 1)[0]!) as Extract<Delivery, { command: 'deliver_sm' }>;
  return { command: 'deliver_sm', status: 0, tlvs, fields: { ...fields, ...changes } };
};

test.each([
  [
    '16-bit reference',
    '06080412340201' + '61',
    { text: 'a', piece: { reference: 0x1234, index: 1, total: 2 } },
  ],
  [
    'ports before the reference',
    '0b0504158100000003070302' + '61',
    { piece: { reference: 7, index: 2, total: 3 } },
  ],
  ['other elements only', '0401020000' + '61', { text: 'a', piece: null }],
  ['a part beyond the total', '050003070203' + '61', { text: 'a', piece: null }],
  ['part 0', '050003070200' + '61', { text: 'a', piece: null }],
  ['an element that is longer than the header', '0500ff070201' + '61', { text: 'a', piece: null }],
  ['a header that is longer than the message', '4061', { text: '¡a', piece: null }],
  ['an empty message', '', { text: '', piece: null }],
])('a message with a header: %s', (_, hex, message) => {
  const shortMessage = Buffer.from(hex, 'hex');
  expect(readMessage(incoming({ esmClass: 0x40, shortMessage }), 'gsm-03.38')).toMatchObject(message);
});

test('the addresses of a message', () => {
  const from = { sourceAddrTon: 1, sourceAddrNpi: 1, sourceAddr: '491701234567' };
  const to = { destAddrTon: 3, destAddrNpi: 0, destinationAddr: '77222' };
  expect(readMessage(incoming({ ...from, ...to }), 'gsm-03.38')).toMatchObject({
    from: '+491701234567',
    to: '77222',
  });
  expect(readMessage(incoming({ ...from, sourceAddrTon: 0 }), 'ascii').from).toBe('+491701234567');
  expect(readMessage(incoming({ ...from, sourceAddr: '0170123456', sourceAddrTon: 0 }), 'ascii').from).toBe(
    '0170123456',
  );
});
