import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { sendBulk } from '../../notify/send-bulk.ts';
import { readJson } from './body.ts';
import { createCheckCompiler } from './check.ts';
import { Problem } from '../../problems/problem.ts';

const check = createCheckCompiler()(sendBulk.body, 'body');
const mebibyte = 1_048_576;
/** The limit of a bulk call, the highest of all routes. */
const maxBytes = sendBulk.maxBodyBytes!;

/** Reads and checks a body as the route of bulk calls does. */
async function take(body: Buffer): Promise<unknown> {
  const pieces = Array.from({ length: Math.ceil(body.length / 65_536) }, (_, at) =>
    body.subarray(at * 65_536, (at + 1) * 65_536),
  );
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
  const request = Object.assign(Readable.from(pieces), { headers }) as unknown as IncomingMessage;
  return check(await readJson(request, maxBytes));
}

const rounds = 11;

/** The code of the refusal, null if the body is taken, and the CPU time in ms of the main thread, which everything else waits for. */
async function judged(body: Buffer): Promise<{ readonly code: unknown; readonly cpuMs: number }> {
  const before = process.threadCpuUsage();
  const code = await take(body).then(
    () => null,
    (error: unknown) => (error instanceof Problem ? error.code : error),
  );
  const { user, system } = process.threadCpuUsage(before);
  return { code, cpuMs: (user + system) / 1_000 };
}

/** The median time of eleven rounds in ms, because a busy machine compiles the code late. */
async function medianMs(body: Buffer): Promise<number> {
  const costs: number[] = [];
  for (let round = 0; round < rounds; round += 1) costs.push((await judged(body)).cpuMs);
  return costs.toSorted((a, b) => a - b)[rounds >> 1]!;
}

/** Whether the median is below this. Six rounds of eleven tell. */
async function isMedianBelow(body: Buffer, boundMs: number): Promise<boolean> {
  const seen = { below: 0, above: 0 };
  while (Math.max(seen.below, seen.above) <= rounds >> 1)
    seen[(await judged(body)).cpuMs < boundMs ? 'below' : 'above'] += 1;
  return seen.below > seen.above;
}

/** JSON of at most 6 MB: `part` repeated at most `most` times between `begin` and `end`. */
function filled(begin: string, part: (index: number) => string, end: string, most = Infinity): Buffer {
  const parts: string[] = [];
  let left = maxBytes - begin.length - end.length;
  for (let index = 0; index < most; index += 1) {
    const one = part(index);
    left -= Buffer.byteLength(one) + 1;
    if (left < 0) break;
    parts.push(one);
  }
  return Buffer.from(begin + parts.join(',') + end);
}

const long = (unit: string) => () => unit.repeat((6 * mebibyte - 100) / Buffer.byteLength(unit));
const text = (unit: string) => filled('{"messages":[{"to":"', long(unit), '"}]}');

const shapes: Readonly<Record<string, () => Buffer>> = {
  'short names': () => filled('{', (index) => `"${index.toString(36)}":1`, '}'),
  'names that are numbers': () => filled('{', (index) => `"${index * 1_048_576}":1`, '}'),
  'the same name': () => filled('{', () => '"to":1', '}'),
  'empty objects': () => filled('{"messages":[', () => '{}', ']}'),
  'empty lists': () => filled('[', () => '[]', ']'),
  numbers: () => filled('{"messages":[', () => '1', ']}'),
  'lists in lists': () => Buffer.from('['.repeat(3 * mebibyte) + ']'.repeat(3 * mebibyte)),
  'lists that do not end': () => Buffer.from('['.repeat(6 * mebibyte)),
  'objects in objects': () => Buffer.from('{"a":'.repeat(mebibyte)),
  'long names': () => filled('{', (index) => `"${String(index).padEnd(300, 'k')}":1`, '}', 19_990),
  'long texts': () => filled('{"messages":[', () => `"${'x'.repeat(300)}"`, ']}', 19_990),
  'texts full of escapes': () => filled('{"messages":[', () => `"${'\\n'.repeat(150)}"`, ']}', 19_990),
  'a message of many fields': () =>
    filled('{"messages":[{', (index) => `"${String(index).padEnd(300, 'k')}":1`, '}]}', 19_980),
  'one name': () => filled('{"', long('k'), '":1}'),
  'one text': () => text('x'),
  'one text of emoji': () => text('😀'),
  'one text of two bytes each': () => text('é'),
  'one text of escapes': () => text('\\n'),
  'one text of escaped quotes': () => text('\\"'),
  'one text of escaped emoji': () => text('\\ud83d\\ude00'),
  'one text of lone surrogates': () => text('\\ud83d'),
  'one number': () => filled('', long('1'), ''),
  'one number of zeros': () => filled('0.', long('0'), ''),
  blanks: () => filled('[', long(' '), ']'),
  'line ends': () => filled('{', long('\n'), '}'),
  quotes: () => filled('', long('"'), ''),
  'a text that does not end': () => filled('{"messages":"', long('\\\\'), ''),
  'bytes that are no UTF-8': () => Buffer.alloc(maxBytes, 0x80),
  'no UTF-8 in a text': () =>
    Buffer.concat([Buffer.from('"'), Buffer.alloc(maxBytes - 2, 0xc3), Buffer.from('"')]),
};

const spellings = {
  asTheyAre: (character: string) => character,
  asEscapes: (character: string) =>
    Array.from({ length: character.length }, (_, at) => {
      const code = character.charCodeAt(at).toString(16).padStart(4, '0');
      return `\\u${code}`;
    }).join(''),
};

/** A bulk call as large as it may be: 100 texts of 4096 characters. */
function bulkOf(character: string, spelling: keyof typeof spellings): Buffer {
  const text = spellings[spelling](character).repeat(4096);
  const message = `{"to": "+14155550123", "idempotencyKey": "${text.slice(0, 100 * (text.length / 4096))}", "text": "${text}"}`;
  return Buffer.from(`{"messages": [\n${Array(100).fill(message).join(',\n')}\n]}`);
}

test.each([
  ['emoji', '😀', 'asTheyAre'],
  ['emoji', '😀', 'asEscapes'],
  ['letters', 'x', 'asEscapes'],
  ['ideographs', '漢', 'asEscapes'],
] as const)('100 texts of 4096 %s (%s), spelled %s, are taken', async (_, character, spelling) => {
  expect(await take(bulkOf(character, spelling))).toMatchObject({
    messages: { length: 100, 99: { text: character.repeat(4096) } },
  });
});

describe('no invalid body costs more than a few valid ones', () => {
  let valid: { readonly code: unknown; readonly cpuMs: number };
  beforeAll(async () => {
    const body = bulkOf('😀', 'asEscapes');
    valid = { ...(await judged(body)), cpuMs: await medianMs(body) };
  });

  test.each(Object.keys(shapes))('6 MB of %s are refused', async (name) => {
    const body = shapes[name]!();
    expect((await judged(body)).code).toMatch(/^(?:invalid-request|malformed-json|too-large)$/);
    expect(valid.code).toBeNull();
    expect(await isMedianBelow(body, 4 * valid.cpuMs)).toBe(true);
  });
});
