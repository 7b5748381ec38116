import { encodePdu } from './encode.ts';
import type { Pdu } from './pdu.ts';
import { createPduReader } from './pdu-reader.ts';

const resp: Pdu = {
  command: 'submit_sm_resp',
  status: 0,
  sequence: 5,
  fields: { messageId: 'abc' },
  tlvs: [],
};
const bytes = encodePdu(resp);

test('a stream may be split at each octet', () => {
  for (let at = 0; at <= bytes.length; at += 1) {
    const reader = createPduReader();
    const frames = [...reader.push(bytes.subarray(0, at)), ...reader.push(bytes.subarray(at))];
    expect(frames).toEqual([{ kind: 'pdu', pdu: resp }]);
  }
});

test('one chunk may hold several PDUs', () => {
  expect(createPduReader().push(Buffer.concat([bytes, bytes, bytes]))).toHaveLength(3);
});

test.each([0, 15, 131_073, 16 * 1024 * 1024, 0xffffffff])(
  'a length of %d ends the stream, and nothing is held of what follows',
  (length) => {
    const head = Buffer.alloc(4);
    head.writeUInt32BE(length);
    const reader = createPduReader();
    expect(reader.push(Buffer.concat([bytes, head, bytes]))).toEqual([
      { kind: 'pdu', pdu: resp },
      { kind: 'broken', text: `a PDU of ${length} octets` },
    ]);
    expect(reader.push(Buffer.alloc(1_000_000))).toEqual([]);
    expect(reader.heldBytes).toBe(0);
  },
);

test('what is read does not change with the chunk that it came in', () => {
  const chunk = Buffer.from(
    encodePdu({
      ...resp,
      tlvs: [{ tag: 0x1501, value: Buffer.from('value') }],
    }),
  );
  const [frame] = createPduReader().push(chunk);
  chunk.fill(0);
  expect(frame).toHaveProperty('pdu.tlvs.0.value', Buffer.from('value'));
});

test('a PDU with the longest message_payload fits', () => {
  const long = encodePdu({ ...resp, tlvs: [{ tag: 0x0424, value: Buffer.alloc(65_535, 1) }] });
  expect(createPduReader().push(long)).toMatchObject([{ kind: 'pdu' }]);
});
