import { spawnSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { createLog, type Log } from './log.ts';

function capture(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  return { lines, log: createLog({ logLevel: 'info' }, 'api', { write: (line) => void lines.push(line) }) };
}

test('an event is one JSON line with its time, process, level, component, name, fields and sentence', () => {
  const { log, lines } = capture();
  log.tell('adapter-failed', { err: null, provider: 'twilio', messageId: 'msg_1' });
  log.tell('messages-claimed', { accountId: 'too fine to be logged', messageIds: [] });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^[^\n]+\n$/);
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 'error',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    process: 'api',
    pid: process.pid,
    component: 'dispatch',
    event: 'adapter-failed',
    err: null,
    provider: 'twilio',
    messageId: 'msg_1',
    msg: 'adapter failed',
  });
});

test('each line tells when it was written', async () => {
  const { log, lines } = capture();
  for (let line = 0; line < 3; line += 1) {
    const earliest = Date.now();
    log.tell('shut-down');
    const at = Date.parse(JSON.parse(lines.at(-1) ?? '').time);
    expect(at).toBeGreaterThanOrEqual(earliest);
    expect(at).toBeLessThanOrEqual(Date.now());
    await wait(2);
  }
});

test.each([
  {
    headers: {
      Authorization: 'Bearer hidden',
      'x-api-key': 'hidden',
      'set-cookie': ['hidden'],
      cookie: 'hidden',
    },
  },
  { body: { password: 'hidden', currentPassword: 'hidden', refreshToken: 'hidden' } },
  { account: { settings: { apiUrl: 'hidden' }, callbackSecret: 'hidden' } },
  { a: { b: [{ c: { previous_secret: 'hidden' } }] } },
  { key: 'hidden', masterKeys: [{ version: 1, key: 'hidden' }], databaseUrl: 'hidden' },
  { a: { b: { c: { d: { e: { f: { g: 'hidden' } } } } } } },
  { bytes: Buffer.from('hidden') },
])('nothing secret of %j is logged', (fields) => {
  const { log, lines } = capture();
  log.tell('maintenance', { steps: fields });
  log.tell('maintenance', fields as never);
  expect(lines).toHaveLength(2);
  expect(lines.join('')).not.toContain('hidden');
  expect(lines.join('')).not.toContain(Buffer.from('hidden').join(','));
});

test.each([
  'connect to postgres://notify:hidden@db:5432/notify failed',
  'redis://:hidden@redis:6379 is away',
  'key svc_live_hiddenhiddenhidden',
  'token svc_tok_hiddenhiddenhidden',
  'token rt_hiddenhiddenhidden and whsec_hiddenhidden/hidden=',
  'bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJoaWRkZW4ifQ.hidden',
  'POST /callbacks/http-sms/0190/hidden?status=1',
])('a text is logged without the secret in it: %s', (text) => {
  const { log, lines } = capture();
  log.tell('step', { msg: text });
  log.tell('shutdown-failed', { err: new Error(text) });
  log.tell('shutdown-failed', {
    err: new Error('outer', { cause: new AggregateError([new Error(text)]) }),
  });
  expect(lines).toHaveLength(3);
  expect(lines.join('')).not.toContain('hidden');
});

test('an error keeps its helpful fields and causes, and loses those that its driver attached', () => {
  const { log, lines } = capture();
  const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  const error = Object.assign(new Error('query failed', { cause }), {
    code: '23505',
    parameters: ['hidden'],
  });
  log.tell('shutdown-failed', { err: error });
  const { err, msg } = JSON.parse(lines[0] ?? '');
  expect(msg).toBe('shutdown failed');
  expect(err).toMatchObject({ type: 'Error', message: 'query failed', code: '23505' });
  expect(err.stack).toContain('log.test.ts');
  expect(err.cause).toMatchObject({ message: 'refused', code: 'ECONNREFUSED' });
  expect(lines[0]).not.toContain('hidden');
});

test('an error that is its own cause is still logged', () => {
  const { log, lines } = capture();
  const error = new Error('round and round');
  error.cause = error;
  log.tell('shutdown-failed', { err: error });
  expect(JSON.parse(lines[0] ?? '').err.message).toBe('round and round');
});

test('a field whose name only resembles a secret stays', () => {
  const { log, lines } = capture();
  const steps = { keyId: 'key_1', idempotencyKey: 'order-7', tokenCount: 3 };
  log.tell('maintenance', { steps });
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ steps });
});

test.each(['process.exit(1)', 'throw new Error("end")', 'await once(process.stdin, "end")'])(
  'what was logged before %s is there',
  (end) => {
    const program = `
      import { once } from 'node:events';
      import { createLog } from ${JSON.stringify(new URL('log.ts', import.meta.url).href)};
      const log = createLog({ logLevel: 'info' }, 'api');
      for (let line = 1; line <= 50; line += 1) log.tell('deliveries-expired', { expired: line });
      process.stdin.resume();
      ${end};`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      input: '',
      encoding: 'utf8',
    });
    const lines = stdout.split('\n').slice(0, -1);
    expect(lines.map((line) => JSON.parse(line).expired)).toEqual(Array.from(lines, (_, index) => index + 1));
    expect(lines).toHaveLength(50);
  },
);
