import { decodePdu } from './decode.ts';
import { encodePdu } from './encode.ts';
import { type Command, commandIds, layouts } from './layouts.ts';
import type { Pdu } from './pdu.ts';

/** Octets, written as hexadecimal with spaces. A text in quotes stands for its ASCII octets. */
function octets(...parts: readonly string[]): Buffer {
  return Buffer.concat(
    parts.map((part) =>
      part.startsWith("'") ? Buffer.from(part.slice(1, -1)) : Buffer.from(part.replaceAll(' ', ''), 'hex'),
    ),
  );
}

const message = {
  serviceType: '',
  sourceAddrTon: 5,
  sourceAddrNpi: 0,
  sourceAddr: 'Notify',
  destAddrTon: 1,
  destAddrNpi: 1,
  destinationAddr: '491701234567',
  esmClass: 0,
  protocolId: 0,
  priorityFlag: 0,
  scheduleDeliveryTime: '',
  validityPeriod: '000001000000000R',
  registeredDelivery: 1,
  replaceIfPresentFlag: 0,
  dataCoding: 0,
  smDefaultMsgId: 0,
  shortMessage: Buffer.from('Hello'),
};

/** Each written out by the tables of chapter 4, and the first as the example of section 3.2.3 has it. */
const vectors: readonly [string, Buffer, Pdu][] = [
  [
    'bind_transmitter, the example of the specification',
    octets(
      '0000002F 00000002 00000000 00000001',
      '534D50503354455354 00 7365637265743038 00 5355424D495431 00 00 01 01 00',
    ),
    {
      command: 'bind_transmitter',
      status: 0,
      sequence: 1,
      fields: {
        systemId: 'SMPP3TEST',
        password: 'secret08',
        systemType: 'SUBMIT1',
        interfaceVersion: 0,
        addrTon: 1,
        addrNpi: 1,
        addressRange: '',
      },
      tlvs: [],
    },
  ],
  [
    'bind_transceiver_resp with sc_interface_version',
    octets('0000001A 80000009 00000000 00000001', "'SMSC'", '00', '0210 0001 34'),
    {
      command: 'bind_transceiver_resp',
      status: 0,
      sequence: 1,
      fields: { systemId: 'SMSC' },
      tlvs: [{ tag: 0x0210, value: Buffer.from([0x34]) }],
    },
  ],
  [
    'bind_receiver_resp that refuses, without a body',
    octets('00000010 80000001 0000000E 00000007'),
    { command: 'bind_receiver_resp', status: 0x0e, sequence: 7, fields: { systemId: '' }, tlvs: [] },
  ],
  [
    'submit_sm',
    octets(
      '00000048 00000004 00000000 00000002',
      '00',
      '05 00',
      "'Notify'",
      '00 01 01',
      "'491701234567'",
      '00 00 00 00 00',
      "'000001000000000R'",
      '00 01 00 00 00 05',
      "'Hello'",
    ),
    { command: 'submit_sm', status: 0, sequence: 2, fields: message, tlvs: [] },
  ],
  [
    'submit_sm_resp',
    octets('00000016 80000004 00000000 00000002', "'a1B2c'", '00'),
    { command: 'submit_sm_resp', status: 0, sequence: 2, fields: { messageId: 'a1B2c' }, tlvs: [] },
  ],
  [
    'submit_sm_resp that throttles, without a body',
    octets('00000010 80000004 00000058 7FFFFFFF'),
    { command: 'submit_sm_resp', status: 0x58, sequence: 0x7fffffff, fields: { messageId: '' }, tlvs: [] },
  ],
  [
    'deliver_sm with a receipt, and a vendor parameter',
    octets(
      '0000003C 00000005 00000000 00000003',
      '00 01 01',
      "'49170'",
      '00 03 00',
      "'77'",
      '00 04 00 00 00 00 00 00 00 00 00',
      '001E 0003',
      "'a1'",
      '00',
      '0427 0001 02',
      '1501 0004 DEADBEEF',
    ),
    {
      command: 'deliver_sm',
      status: 0,
      sequence: 3,
      fields: {
        ...message,
        sourceAddrTon: 1,
        sourceAddrNpi: 1,
        sourceAddr: '49170',
        destAddrTon: 3,
        destAddrNpi: 0,
        destinationAddr: '77',
        esmClass: 4,
        validityPeriod: '',
        registeredDelivery: 0,
        shortMessage: Buffer.alloc(0),
      },
      tlvs: [
        { tag: 0x001e, value: Buffer.from('a1\0') },
        { tag: 0x0427, value: Buffer.from([2]) },
        { tag: 0x1501, value: Buffer.from([0xde, 0xad, 0xbe, 0xef]) },
      ],
    },
  ],
  [
    'deliver_sm_resp',
    octets('00000011 80000005 00000064 00000003 00'),
    { command: 'deliver_sm_resp', status: 0x64, sequence: 3, fields: { messageId: '' }, tlvs: [] },
  ],
  [
    'data_sm with message_payload',
    octets(
      '00000023 00000103 00000000 00000004 00 01 01',
      "'49'",
      '00 00 00',
      "'7'",
      '00 00 00 08',
      '0424 0002 20AC',
    ),
    {
      command: 'data_sm',
      status: 0,
      sequence: 4,
      fields: {
        serviceType: '',
        sourceAddrTon: 1,
        sourceAddrNpi: 1,
        sourceAddr: '49',
        destAddrTon: 0,
        destAddrNpi: 0,
        destinationAddr: '7',
        esmClass: 0,
        registeredDelivery: 0,
        dataCoding: 8,
      },
      tlvs: [{ tag: 0x0424, value: Buffer.from([0x20, 0xac]) }],
    },
  ],
  ...(
    [
      ['generic_nack', '00000010 80000000 00000003 00000009'],
      ['unbind', '00000010 00000006 00000000 00000009'],
      ['unbind_resp', '00000010 80000006 00000000 00000009'],
      ['enquire_link', '00000010 00000015 00000000 00000009'],
      ['enquire_link_resp', '00000010 80000015 00000000 00000009'],
    ] as const
  ).map(([command, hex]): [string, Buffer, Pdu] => [
    command,
    octets(hex),
    { command, status: command === 'generic_nack' ? 3 : 0, sequence: 9, fields: {}, tlvs: [] },
  ]),
];

test.each(vectors)('%s is written and read', (_, bytes, pdu) => {
  expect(bytes.readUInt32BE(0)).toBe(bytes.length);
  expect(encodePdu(pdu).toString('hex')).toBe(bytes.toString('hex'));
  expect(decodePdu(bytes)).toEqual({ kind: 'pdu', pdu });
});

test('every command has an id of its own, and a response that of its request with the highest bit', () => {
  expect(new Set(Object.values(commandIds)).size).toBe(Object.keys(layouts).length);
  const names = Object.keys(layouts) as Command[];
  const requests = names.filter((name) => names.includes(`${name}_resp` as Command));
  expect(requests).toHaveLength(11);
  expect(requests.map((name) => commandIds[`${name}_resp` as Command])).toEqual(
    requests.map((name) => commandIds[name] + 0x80000000),
  );
});

const submit = vectors.find(([name]) => name === 'submit_sm')![1];

test('a request that ends too early is refused at every octet', () => {
  for (let length = 16; length < submit.length; length += 1) {
    const decoded = decodePdu(submit.subarray(0, length));
    expect(decoded).toMatchObject({ kind: 'fault', command: 'submit_sm', status: 0x02 });
    expect(decoded).toHaveProperty('header.sequence', 2);
  }
});

test.each([
  ['a parameter of three octets', '041E01'],
  ['a parameter that is longer than the PDU', '0424 0005 00'],
])('a request with %s is refused', (_, rest) => {
  const bytes = Buffer.concat([submit, octets(rest)]);
  expect(decodePdu(bytes)).toMatchObject({ kind: 'fault', status: 0xc0 });
});

test('an unknown command is refused with its sequence number', () => {
  expect(decodePdu(octets('00000010 00000121 00000000 0000002A'))).toMatchObject({
    kind: 'fault',
    command: null,
    status: 0x03,
    header: { sequence: 42 },
  });
});

test.each([
  ['no body', '', '', 0],
  ['an id without its NUL', "'a1'", 'a1', 0],
  ['an octet too many', "'a1\0\0'", 'a1', 0],
])('a response with %s is read', (_, body, messageId, tlvs) => {
  const decoded = decodePdu(octets('00000010 80000004 00000000 00000002', ...(body === '' ? [] : [body])));
  expect(decoded).toMatchObject({ kind: 'pdu', pdu: { fields: { messageId } } });
  expect(decoded).toHaveProperty('pdu.tlvs.length', tlvs);
});

test.each([
  ['a text that is too long', { sourceAddr: '1'.repeat(21) }, 'sourceAddr has more than 20 octets'],
  ['a NUL in a text', { sourceAddr: 'a\0b' }, 'sourceAddr has a character that is no octet'],
  ['a character that is no octet', { sourceAddr: '€' }, 'sourceAddr has a character that is no octet'],
  ['an integer that is no octet', { esmClass: 256 }, 'esmClass is not an octet'],
  ['256 octets of text', { shortMessage: Buffer.alloc(256) }, 'shortMessage has more than 255 octets'],
])('%s is not written', (_, wrong, problem) => {
  const fields = { ...message, ...wrong };
  expect(() => encodePdu({ command: 'submit_sm', status: 0, sequence: 1, fields, tlvs: [] })).toThrow(
    new RangeError(problem),
  );
});
