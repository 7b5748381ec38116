import { peers, type ProviderPeer } from '@notify/testkit';
import type { Adapter, CallbackRequest } from './adapter/channel.ts';
import { adapters } from './registry.ts';

/*
 * Callbacks from strangers and hostile tenants must be cheap to read in every adapter. A tenant knows the secret of its
 * account and can sign anything, so signed callbacks are tried too.
 */

const kibibyte = 1_024;
/** The longest is the largest callback that the api accepts. */
const sizes = { short: 16, long: 256 };
/**
 * The longest a callback of 16 times the size may take: 64 times as long, halfway between linear and quadratic growth.
 */
const atMost = (shortMs: number) => 64 * Math.max(shortMs, leastMs);
/** Shorter times count as this one, in ms. */
const leastMs = 0.5;
const publicUrl = 'https://notify.example/callbacks/p/a/s';

/** Repeats the output of `part` until the body has `bytes` bytes. */
function filled(begin: string, part: (index: number) => string, end: string) {
  return (bytes: number): Buffer => {
    const parts = [begin];
    let left = bytes - begin.length - end.length;
    for (let index = 0; left > 0; index += 1) {
      const one = part(index).slice(0, left);
      left -= one.length;
      parts.push(one);
    }
    return Buffer.from(parts.join('') + end);
  };
}

const within = (begin: string, unit: string, end = '') => filled(begin, () => unit, end);
const status = '{"id":"a","status":"sent"}';
const change =
  '{"field":"message_template_status_update","value":{"event":"PAUSED","message_template_name":"a","message_template_language":"en"}}';

const shapes: Readonly<Record<string, (bytes: number) => Buffer>> = {
  'many names': filled('a=', (index) => `&${index.toString(36)}=`, ''),
  'many names with values': filled('a=1', (index) => `&${index}=${index}`, ''),
  'many values of one name': filled('a=0', (index) => `&a=${index}`, ''),
  'one field again and again': within('a=1', '&a=1'),
  'nothing but ampersands': within('', '&'),
  'nothing but equals signs': within('', '='),
  'nothing but percent signs': within('', '%'),
  'a long name': within('', 'x', '=1'),
  'a long value': within('MessageStatus=', 'x'),
  'a long value in escapes': within('Body=', '%41'),
  'a long value in escapes of no character': within('Body=', '%ff'),
  'a long value of plus signs': within('Body=', '+'),
  'a long value of letters and plus signs': within('Body=', 'a+'),
  'long values of a few names': filled('a=1', (index) => `&${index}=${'x'.repeat(4_000)}`, ''),
  'a reference of nothing but dots': within('status=delivered&ref=', '.'),
  'lists in lists': (bytes) => Buffer.from('['.repeat(bytes / 2) + ']'.repeat(bytes / 2)),
  'lists without end': within('', '['),
  'objects in objects': within('', '{"a":'),
  'many names in JSON': filled('{"a":1', (index) => `,"${index.toString(36)}":1`, '}'),
  'many names in JSON that are numbers': filled('{"a":1', (index) => `,"${index * 65_536}":1`, '}'),
  'many numbers in JSON': within('{"entry":[1', ',1', ']}'),
  'many empty objects in JSON': within('{"entry":[{}', ',{}', ']}'),
  'many statuses': within(
    `{"entry":[{"changes":[{"field":"messages","value":{"statuses":[${status}`,
    `,${status}`,
    ']}}]}]}',
  ),
  'many changes of templates': within(`{"entry":[{"id":"1","changes":[${change}`, `,${change}`, ']}]}'),
  'a long text in JSON': within('{"status":"failed","ref":"', '.', '"}'),
  'a long text of escapes in JSON': within('{"status":"', '\\n', '"}'),
  'a long type in JSON': within('{"status":"rejected","message_uuid":"1","error":{"type":"', '#a', '"}}'),
  'a long number in JSON': within('{"status":', '1', '}'),
  'many sizes of a photo': within('{"message":{"chat":{"id":1},"photo":[{}', ',{"width":1}', ']}}'),
  'many names in a message': filled('{"message":{"chat":{"id":1}', (index) => `,"${index}":1`, '}}'),
  'many reactions': within(
    '{"message_reaction":{"chat":{"id":1},"new_reaction":[{}',
    ',{"emoji":"a"}',
    '],"old_reaction":[]}}',
  ),
  'many buttons': within(
    '{"callback_query":{"id":"1","from":{"id":1},"message":{"reply_markup":{"inline_keyboard":[[]',
    ',[{}]',
    ']}}}}',
  ),
  blanks: within('', ' '),
  zeros: (bytes) => Buffer.alloc(bytes),
  'bytes that are no UTF-8': (bytes) => Buffer.alloc(bytes, 0xc3),
};

function callback(body: Buffer, method: 'GET' | 'POST'): CallbackRequest {
  const query = new URLSearchParams(body.subarray(0, 14 * kibibyte).toString());
  return {
    method,
    url: '/callbacks/p/a/s',
    publicUrl,
    query,
    headers: {},
    body,
    secretMatches: false,
    address: '',
  };
}

/** Linux counts a thread's CPU time in ticks, of 4 ms here. */
const tickMs = 4;

/**
 * Reading time of a callback in ms: the shortest of eleven runs, or the first that is not above `enoughMs`. A busy machine
 * stretches every run that is longer than its slice of the CPU, so a run counts by the CPU time it can have had at most where
 * that is less. Code with bad growth needs all of that time.
 */
function durationOf(adapter: Adapter, settings: unknown, request: CallbackRequest, enoughMs: number): number {
  let shortest = Infinity;
  for (let run = 0; run < 11 && shortest > enoughMs; run += 1) {
    const startedAt = performance.now();
    const usedBefore = process.threadCpuUsage();
    adapter.parseCallback?.(request, settings);
    const { user, system } = process.threadCpuUsage(usedBefore);
    shortest = Math.min(shortest, performance.now() - startedAt, (user + system) / 1_000 + tickMs);
  }
  return shortest;
}

/** Two forged forms, then a signed one. */
function disguises({ sign }: ProviderPeer): readonly ((body: Buffer) => Partial<CallbackRequest>)[] {
  const forged = { 'x-twilio-signature': 'x', 'x-hub-signature-256': 'x', authorization: 'Bearer x.y.z' };
  return [
    () => ({}),
    () => ({ headers: forged }),
    (body) => ({ headers: sign?.(publicUrl, body) ?? {}, secretMatches: true }),
  ];
}

const peerOf: Readonly<Record<string, ProviderPeer>> = peers;
const reporting = [...adapters.values()].filter((adapter) => adapter.parseCallback !== undefined);

describe.each(reporting)('$id', (adapter) => {
  const peer = peerOf[adapter.id]!;
  const cases = peer
    .accounts('https://gw.example')
    .flatMap((settings) =>
      disguises(peer).flatMap((change) =>
        (['GET', 'POST'] as const).map((method) => ({ settings, change, method })),
      ),
    );

  test.each(Object.keys(shapes))('the cost of %s grows only with their length', (name) => {
    const [short, long] = [sizes.short, sizes.long].map((size) => shapes[name]!(size * kibibyte));
    for (const { settings, change, method } of cases) {
      const tried = (body: Buffer, enoughMs: number) => {
        const request = callback(body, method);
        return durationOf(adapter, settings, { ...request, ...change(body) }, enoughMs);
      };
      const bound = atMost(tried(short!, leastMs));
      const longMs = tried(long!, bound / 2);
      expect(longMs).toBeLessThan(bound);
    }
  });
});
