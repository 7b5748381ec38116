import { randomUUID } from 'node:crypto';
import { components, knownEvents, logCatalogue, type LogEventName } from './catalogue.ts';
import { logFields } from './fields.ts';
import { currentRequest, inRequest, type RequestContext } from './in-request.ts';
import { parseLogLevels } from './levels.ts';
import { createLog, type LogSettings } from './log.ts';

function capture(settings: Partial<LogSettings> = {}) {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line));
  return { log: createLog({ logLevel: 'trace', ...settings }, 'api', { write }), lines };
}

test.each(Array.from(knownEvents.keys()))('a line of %s has the fields that the catalogue names', (name) => {
  const { log, lines } = capture();
  const { component, level, msg, fields, optional = [] } = knownEvents.get(name)!;
  const given = Object.fromEntries(
    [...fields, ...optional].map((field) => [field, logFields[field].example]),
  );
  log.tell(name as LogEventName, given as never);
  const frame = { level, time: expect.any(String), process: 'api', pid: process.pid, component, event: name };
  expect(lines).toEqual([{ ...frame, ...given, msg: msg ?? logFields.msg.example }]);
});

test('every event stands in one component and has a name in kebab case and a meaning', () => {
  const names = components.flatMap((component) => Object.keys(logCatalogue[component]));
  expect(new Set(names).size).toBe(names.length);
  for (const [name, { msg, means, fields }] of knownEvents) {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(means).toMatch(/^.+\.$/);
    expect(fields.includes('msg')).toBe(msg === null);
  }
});

test('levels of components decide which lines are written, and can change while the log is open', () => {
  const { log, lines } = capture({ logLevel: parseLogLevels('warn,mail=info,turns=silent')! });
  const tellAll = (): unknown[] => {
    lines.length = 0;
    log.tell('shut-down');
    log.tell('mail-left-out', { kind: 'password', tenantId: 't' });
    log.tell('password-forgotten', { tenantId: 't' });
    log.tell('wake-left', { err: null });
    log.tell('messages-claimed', { accountId: 'a', messageIds: [] });
    return lines.map((line) => line['event']);
  };
  expect(tellAll()).toEqual(['mail-left-out', 'password-forgotten']);
  expect(log.tells('messages-claimed')).toBe(false);
  log.changeLevels([
    { component: 'dispatch', level: 'debug' },
    { component: 'mail', level: 'warn' },
  ]);
  expect(tellAll()).toEqual(['mail-left-out', 'messages-claimed']);
  expect(log.tells('messages-claimed')).toBe(true);
  log.changeLevels([]);
  expect(tellAll()).toEqual(['mail-left-out', 'password-forgotten']);
});

test('a line from deep inside a request has its id, and a line about shared work has none', async () => {
  const { log, lines } = capture();
  const deep = async (): Promise<void> => {
    await new Promise(setImmediate);
    log.tell('mail-left-out', { kind: 'password', tenantId: 't' });
    log.tell('connection-trouble', { err: new Error('away') });
  };
  await Promise.all([inRequest({ requestId: 'a' }, deep), inRequest({ requestId: 'b' }, deep), deep()]);
  const told = (event: string) =>
    lines.filter((line) => line['event'] === event).map((line) => line['requestId']);
  expect(told('mail-left-out')).toEqual(['a', 'b', undefined]);
  expect(told('connection-trouble')).toEqual([undefined, undefined, undefined]);
});

test('work of a request can note facts for its line', () => {
  const request: RequestContext = { requestId: 'a' };
  inRequest(request, () => {
    currentRequest()!.messageId = 'm';
  });
  expect(request.messageId).toBe('m');
  expect(currentRequest()).toBeUndefined();
});

const attempt = {
  tenantId: 't',
  accountId: 'a',
  provider: 'p',
  attempt: 1,
  part: 0,
  decision: 'sent',
  durationMs: 1,
};
const post = {
  deliveryId: 'd',
  eventId: 'e',
  webhookId: 'w',
  tenantId: 't',
  attempt: 1,
  decision: 'd',
  durationMs: 1,
};
const request = { method: 'POST', route: '/', durationMs: 1 };

test('a share of successes is written, all lines of a message or none, with the share', () => {
  const { log, lines } = capture({ logSuccesses: 0.25 });
  const ids = Array.from({ length: 4_000 }, () => randomUUID());
  for (const messageId of ids) {
    log.tell('request', { ...request, status: 202, messageId });
    log.tell('attempt', { ...attempt, outcome: 'accepted', messageId });
    log.tell('delivery-attempt', { ...post, status: 200, messageId });
  }
  const byMessage = Map.groupBy(lines, (line) => line['messageId']);
  expect(byMessage.size).toBeGreaterThan(800);
  expect(byMessage.size).toBeLessThan(1_200);
  for (const own of byMessage.values()) expect(own).toHaveLength(3);
  expect(new Set(lines.map((line) => line['sampled']))).toEqual(new Set([0.25]));
});

test('failures, retries and unknown outcomes are always written', () => {
  const { log, lines } = capture({ logSuccesses: 0 });
  const messageId = randomUUID();
  for (const status of [200, 204, 304, 400, 429, 503]) log.tell('request', { ...request, status });
  for (const outcome of ['accepted', 'throttled', 'retry', 'rejected', 'connection-broken', 'unknown'])
    log.tell('attempt', { ...attempt, outcome, messageId });
  for (const status of [200, 299, 302, 410, 500]) log.tell('delivery-attempt', { ...post, status });
  log.tell('delivery-attempt', { ...post, error: 'timeout', detail: 'no answer' });
  expect(lines.map((line) => line['status'] ?? line['outcome'] ?? line['error'])).toEqual([
    400,
    429,
    503,
    'throttled',
    'retry',
    'rejected',
    'connection-broken',
    'unknown',
    302,
    410,
    500,
    'timeout',
  ]);
  for (const line of lines) expect(line).not.toHaveProperty('sampled');
});

test('a request without a message is sampled by its own id', () => {
  const { log, lines } = capture({ logSuccesses: 0.5 });
  for (let number = 0; number < 1_000; number += 1)
    for (const again of [1, 2])
      inRequest({ requestId: `r-${number}` }, () =>
        log.tell('request', { ...request, status: 200, durationMs: again }),
      );
  const byRequest = Map.groupBy(lines, (line) => line['requestId']);
  expect(byRequest.size).toBeGreaterThan(400);
  expect(byRequest.size).toBeLessThan(600);
  for (const own of byRequest.values()) expect(own).toHaveLength(2);
});

test('circular, huge and throwing fields do not disturb the caller', () => {
  const { log, lines } = capture();
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  log.tell('maintenance', { steps: circular });
  log.tell('maintenance', { steps: { list: Array(1_000_000).fill('x'), text: 'x'.repeat(10_000_000) } });
  log.tell('maintenance', { steps: Object.fromEntries(Array.from({ length: 9_999 }, (_, at) => [at, at])) });
  log.tell('maintenance', { steps: { big: 1n, symbol: Symbol('s'), run: () => 1 } });
  expect(lines.map((line) => line['event'])).toEqual(Array(4).fill('maintenance'));
  for (const line of lines) expect(JSON.stringify(line).length).toBeLessThan(10_000);
  log.tell('maintenance', {
    steps: {
      get bad(): never {
        throw new Error('hidden trap');
      },
    },
  });
  expect(lines.at(-1)).toMatchObject({ level: 'error', event: 'line-lost', lostEvent: 'maintenance' });
});
