import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { subscribableEvents } from '@notify/core';
import { prepareQueue } from '@notify/queue';
import {
  type DumpedRow,
  dumpRows,
  freePort,
  type Leak,
  leaksInRows,
  leaksInText,
  type OtlpReceiver,
  type Receiver,
  type RegisteredTenant,
  registerTenant,
  type RunningProcess,
  startOtlpReceiver,
  startProcess,
  startReceiver,
  testDatabase,
  type TestDatabase,
  until,
} from '@notify/testkit';
import { sql } from 'kysely';
import { type QuotingGateway, startQuotingGateway } from './quoting-gateway.ts';

const people = ['+4915550001001', '+4915550001002', '+4915550001003', '+4915550001004'];

let things: AsyncDisposableStack;
let database: TestDatabase;
let collector: OtlpReceiver;
let gateway: QuotingGateway;
let receiver: Receiver;
let processes: readonly RunningProcess[];
let tenant: RegisteredTenant;
/** Every answer that a client got. */
const answers: string[] = [];

beforeAll(async () => {
  things = new AsyncDisposableStack();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'notify-secrecy-'));
  things.defer(() => rm(dataDir, { recursive: true, force: true }));
  database = things.use(await testDatabase());
  await prepareQueue({ databaseUrl: database.url, redisUrl: null });
  collector = things.use(await startOtlpReceiver());
  gateway = things.use(await startQuotingGateway());
  receiver = things.use(await startReceiver());
  const port = await freePort();
  const env = {
    LOG_LEVEL: 'trace',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    BCRYPT_COST: '4',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  };
  const common = { databaseUrl: database.url, redisUrl: null, dataDir, env };
  processes = await Promise.all([
    startProcess('api', { ...common, port }),
    startProcess('dispatch-worker', common),
    startProcess('webhook-worker', common),
  ]);
  for (const one of processes) things.defer(() => one.stop());
  await Promise.all(processes.map((one) => one.ready()));
  tenant = await registerTenant(processes[0]!.url, { scopes: ['send', 'read', 'list', 'cancel'] });
  await tenant.post('/v1/webhooks', { url: receiver.url, events: subscribableEvents });
});
afterAll(() => things?.disposeAsync());

/** JSON of an answer, whose form the test knows. */
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

async function ask(method: string, at: string, body?: object): Promise<Json> {
  const byKey = at.startsWith('/v1/notify/');
  const response = await fetch(processes[0]!.url + at, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(byKey ? { 'x-api-key': tenant.apiKey } : { authorization: `Bearer ${tenant.accessToken}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  answers.push(text, JSON.stringify([...response.headers]));
  return JSON.parse(text);
}

/** Everything that a tenant can read. */
async function readAll(ids: readonly string[]): Promise<void> {
  for (const id of ids) await ask('GET', `/v1/notify/verifications/${id}`);
  const { data } = await ask('GET', '/v1/messages?limit=100');
  for (const { messageId } of data as { messageId: string }[]) {
    await ask('GET', `/v1/messages/${messageId}`);
    await ask('GET', `/v1/notify/messages/${messageId}`);
    await ask('POST', `/v1/messages/${messageId}/resend`, {});
  }
  for (const at of [
    '/v1/notify/messages',
    '/v1/events',
    '/v1/usage',
    '/v1/usage/verifications',
    '/v1/webhooks',
  ])
    await ask('GET', at);
}

/** Rows that were the same at both times are searched once. */
function distinct(rows: readonly DumpedRow[]): DumpedRow[] {
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

const codesSent = (): string[] => [...new Set(gateway.asked.map(({ text }) => /\d{10}/.exec(text)![0]))];

async function everything(rows: readonly DumpedRow[], codes: readonly string[]): Promise<Leak[]> {
  const lines = processes.flatMap((one) => one.lines.map((line) => [`log of ${one.name}`, line] as const));
  const posts = receiver.received.map(
    ({ headers, body }) => ['webhook', JSON.stringify(headers) + body.toString()] as const,
  );
  const spans = collector.received.map(({ body }) => ['span', body.toString()] as const);
  const told = answers.map((answer) => ['answer', answer] as const);
  const texts = gateway.asked.map(({ text }) => text);
  return [
    ...[...lines, ...posts, ...spans, ...told].flatMap(([place, text]) => leaksInText(place, text, codes)),
    ...leaksInRows(rows, codes, texts),
  ];
}

test('a code of ten digits is at the gateway and nowhere else, though the gateway quotes it everywhere', async () => {
  const rejecting = { provider: 'http-sms', name: 'refuses', settings: gateway.settings(true) };
  const { id: refusing } = await ask('POST', '/v1/channel-accounts', { ...rejecting, verify: false });
  const taking = { provider: 'http-sms', name: 'takes', settings: gateway.settings(false), isDefault: true };
  const { id: accepting } = await ask('POST', '/v1/channel-accounts', { ...taking, verify: false });
  const routes = [
    { channel: 'sms', channelAccountId: refusing },
    { channel: 'sms', channelAccountId: accepting },
  ];
  const started = new Map<string, string>();
  for (const [index, to] of people.entries()) {
    const idempotencyKey = randomBytes(8).toString('hex');
    const body = {
      to,
      routes,
      codeLength: 10,
      brand: 'Acme',
      locale: index % 2 ? 'de' : 'en',
      idempotencyKey,
    };
    const { id } = await ask('POST', '/v1/notify/verifications', body);
    started.set(to, id as string);
  }
  const taken = (to: string) => gateway.asked.filter((one) => one.to === to).length >= 3;
  await until(async () => people.every(taken));
  const codes = codesSent();
  expect(codes).toHaveLength(people.length);
  await readAll([...started.values()]);
  const early = await dumpRows(database.db);
  await until(async () => {
    const { rows } = await sql<{ left: number }>`
      select count(*)::int as left from message_groups where ended_at is null`.execute(database.db);
    return rows[0]!.left === 0;
  });
  await gateway.settled();

  // The person has it: what the gateway was asked to send checks.
  for (const [index, to] of people.entries()) {
    const id = started.get(to)!;
    const [code] = gateway.asked.flatMap((one) => (one.to === to ? (/\d{10}/.exec(one.text) ?? []) : []));
    if (index === 3) continue;
    const wrong = code === '0123456789' ? '9876543210' : '0123456789';
    await ask('POST', `/v1/notify/verifications/${id}/check`, { code: wrong });
    expect((await ask('POST', `/v1/notify/verifications/${id}/check`, { code })).status).toBe('approved');
    expect((await ask('POST', `/v1/notify/verifications/${id}/check`, { code })).code).toBe(
      'verification-ended',
    );
  }
  await readAll([...started.values()]);
  await until(
    async () =>
      receiver.received.filter(({ body }) => body.toString().includes('message.delivered')).length >=
      people.length,
  );
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const late = await dumpRows(database.db);
  for (const one of processes) await one.stop();

  // What quotes it is there, without it: else the search would prove nothing.
  const { rows: quoting } = await sql<{ count: number }>`
    select count(*)::int as count from attempts where text like '%cannot send%' or text = '••••••'`.execute(
    database.db,
  );
  expect(quoting[0]!.count).toBeGreaterThanOrEqual(2 * people.length);
  const { rows: reported } = await sql<{ reports: string }>`
    select reports::text as reports from messages where reports::text like '%dlvrd%'`.execute(database.db);
  expect(reported.length).toBe(people.length);
  for (const { reports } of reported) expect(reports).toContain('text:••••••');
  const { rows: kept } = await sql<{ status: string; sealed: boolean; hashed: boolean }>`
    select status, sealed_code is not null as sealed, code_hash is not null as hashed from verifications order by id`.execute(
    database.db,
  );
  expect(kept.slice(0, 3)).toEqual(Array(3).fill({ status: 'approved', sealed: false, hashed: false }));
  expect(kept[3]).toEqual({ status: 'pending', sealed: false, hashed: true });

  expect(await everything(distinct([...early, ...late]), codes)).toEqual([]);

  // The same search finds each of these.
  const [code = ''] = codes;
  const [text = ''] = gateway.asked.map((one) => one.text).filter((one) => one.includes(code));
  const salt = randomBytes(16);
  const hash = (...parts: (string | Buffer)[]) =>
    parts.reduce((sum, part) => sum.update(part), createHash('sha256')).digest();
  const planted: readonly (readonly string[])[] = [
    [`x${code}y`],
    [Buffer.from(`a${code}`).toString('base64')],
    [Buffer.from(text).toString('base64url')],
    [`\\x${Buffer.from(code).toString('hex')}`],
    [`\\x${hash(code).toString('hex')}`],
    [`\\x${hash(salt, code).toString('hex')}`, `\\x${salt.toString('hex')}`],
    [hash(code, ':', '4711').toString('base64'), '4711'],
    [hash(text).toString('hex')],
    [hash(JSON.stringify({ text })).toString('hex')],
    [hash(hash(code)).toString('hex')],
  ];
  for (const values of planted)
    expect([values[0], leaksInRows([{ table: 'planted', values }], codes, [text]).length > 0]).toEqual([
      values[0],
      true,
    ]);
  await sql`insert into processes (id, name, version, host, pid, figures, started_at, seen_at)
    values (uuidv7(), 'planted', ${`sha ${code}`}, 'h', 1, '{}', now(), now())`.execute(database.db);
  const found = await everything(
    (await dumpRows(database.db)).filter(({ table }) => table === 'public.processes'),
    codes,
  );
  expect(found.map(({ place }) => place)).toEqual(['public.processes']);
});
