import { decodePdu } from './decode.ts';
import { encodePdu } from './encode.ts';
import { type Command, type Field, layouts } from './layouts.ts';
import type { Pdu } from './pdu.ts';
import { createPduReader, type Frame } from './pdu-reader.ts';

/** Numbers below `limit`, always the same for one seed (xorshift32). */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}

type Numbers = ReturnType<typeof numbers>;

const commands = Object.keys(layouts) as Command[];

function octetsOf(below: Numbers, most: number): Buffer {
  return Buffer.from(Array.from({ length: below(most + 1) }, () => below(256)));
}

function valueFor(field: Field, below: Numbers): unknown {
  if (field.kind === 'integer') return below(256);
  if (field.kind === 'octets') return octetsOf(below, below(4) === 0 ? 255 : 10);
  return Array.from({ length: below(field.most) }, () => String.fromCharCode(1 + below(255))).join('');
}

function somePdu(below: Numbers): Pdu {
  const command = commands[below(commands.length)]!;
  const layout: readonly Field[] = layouts[command];
  const isRequest = !command.endsWith('_resp') && command !== 'generic_nack';
  return {
    command,
    status: isRequest || below(2) === 0 ? 0 : below(256),
    sequence: 1 + below(0x7fffffff),
    fields: Object.fromEntries(layout.map((field) => [field.name, valueFor(field, below)])),
    tlvs: Array.from({ length: below(3) }, () => ({ tag: below(0x10000), value: octetsOf(below, 12) })),
  } as unknown as Pdu;
}

/** Damages a PDU, but not its length: that ends the stream. */
function damage(bytes: Buffer, below: Numbers): Buffer {
  const damaged = Buffer.from(bytes);
  for (let times = 1 + below(4); times > 0 && damaged.length > 4; times -= 1)
    damaged[4 + below(damaged.length - 4)] = below(3) === 0 ? 0xff : below(256);
  return damaged;
}

/** Cuts octets into pieces of 1 to `most`. */
function* pieces(bytes: Buffer, below: Numbers, most: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + below(most);
    yield bytes.subarray(at, end);
    at = end;
  }
}

test('50,000 PDUs are read as they were written, however the stream is cut', () => {
  const below = numbers(20_241);
  const reader = createPduReader();
  for (let round = 0; round < 1_000; round += 1) {
    const pdus = Array.from({ length: 50 }, () => somePdu(below));
    const encoded = pdus.map(encodePdu);
    const frames: Frame[] = [];
    for (const piece of pieces(Buffer.concat(encoded), below, 1 + below(300)))
      frames.push(...reader.push(piece));
    expect(
      frames.map((frame) => (frame.kind === 'pdu' ? encodePdu(frame.pdu).toString('hex') : frame)),
    ).toEqual(encoded.map((bytes) => bytes.toString('hex')));
    expect(reader.heldBytes).toBe(0);
  }
});

test('50,000 damaged PDUs each give one frame, and what is readable can be read again', () => {
  const below = numbers(90_125);
  const reader = createPduReader();
  const counts = { pdu: 0, fault: 0, broken: 0 };
  const wrong: unknown[] = [];
  for (let round = 0; round < 50_000; round += 1) {
    const bytes = damage(encodePdu(somePdu(below)), below);
    const frames = [...pieces(bytes, below, 1 + below(200))].flatMap((piece) => reader.push(piece));
    const [frame] = frames;
    if (frame === undefined || frames.length !== 1 || reader.heldBytes !== 0) wrong.push(frames);
    else counts[frame.kind] += 1;
    if (frame?.kind === 'pdu' && !survives(frame.pdu)) wrong.push(frame.pdu);
  }
  expect(wrong).toEqual([]);
  expect(counts.broken).toBe(0);
  expect(Math.min(counts.pdu, counts.fault)).toBeGreaterThan(5_000);
});

/** Whether a PDU reads as it was after it was written, unless a text of it is longer than may be written. */
function survives(pdu: Pdu): boolean {
  let bytes: Buffer;
  try {
    bytes = encodePdu(pdu);
  } catch (error) {
    return error instanceof RangeError && /has more than \d+ octets/.test(error.message);
  }
  const again = decodePdu(bytes);
  return again.kind === 'pdu' && encodePdu(again.pdu).equals(bytes);
}

test('octets without meaning end the stream, or are held only as far as one PDU goes', () => {
  const below = numbers(4_711);
  for (let round = 0; round < 1_000; round += 1) {
    const reader = createPduReader(4_096);
    for (let times = 0; times < 20; times += 1) {
      reader.push(octetsOf(below, 1_000));
      expect(reader.heldBytes).toBeLessThanOrEqual(4_096);
    }
  }
});
