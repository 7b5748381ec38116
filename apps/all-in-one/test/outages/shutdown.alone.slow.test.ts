import {
  type Receiver,
  type RunningProcess,
  type RunningRedis,
  type SmsGateway,
  startReceiver,
  startRedis,
  startSmsGateway,
  testWith,
} from '@notify/testkit';
import { sql } from 'kysely';
import {
  type Answer,
  ask,
  askPatiently,
  connect,
  type Installation,
  openInstallation,
  password,
  register,
  sendText,
  type Tenant,
  terminate,
  until,
} from '../installation.ts';

const test = testWith('redis-server');

/** What is promised of a process that is told to end. */
const promisedMs = 10_000;
const accounts = 25;
const messagesEach = 40;
const hanging = 20;
const webhooks = 10;
const eventsEach = 50;

let redis: RunningRedis;
let at: Installation;
let silentGateway: SmsGateway;
let silentReceiver: Receiver;
let api: RunningProcess;
let dispatch: RunningProcess;
let webhook: RunningProcess;
let sender: Tenant;
let subscriber: Tenant;
let client: Tenant;

beforeAll(async () => {
  redis = await startRedis();
  silentGateway = await startSmsGateway();
  silentReceiver = await startReceiver();
  // A login takes so long that it is under way when the api is told to end.
  const env = { MAX_CALLS_IN_FLIGHT: '600', LOG_LEVEL: 'warn', BCRYPT_COST: '12' };
  at = await openInstallation(redis.url, env);
  [api, dispatch, webhook] = await Promise.all([
    at.start('api'),
    at.start('dispatch-worker'),
    at.start('webhook-worker'),
  ]);
  await Promise.all([api, dispatch, webhook].map((one) => one.ready()));
  sender = await register(api.url, 'sender');
  subscriber = await register(api.url, 'subscriber');
  client = await register(api.url, 'client');
});

afterAll(async () => {
  await at?.close();
  await silentGateway?.stop();
  await silentReceiver?.close();
  await redis?.stop();
});

/** Texts to send by these accounts, the same number by each, a hundred to a call. */
async function sendAll(ids: readonly string[], each: number): Promise<void> {
  const items = ids.flatMap((channelAccountId) =>
    Array.from({ length: each }, () => ({ to: '+15550001000', text: 'hello', channelAccountId })),
  );
  for (let first = 0; first < items.length; first += 100) {
    const messages = items.slice(first, first + 100);
    const { status } = await askPatiently('POST', `${api.url}/v1/notify/sms/bulk`, sender.key, { messages });
    expect(status).toBe(202);
  }
}

/** Fills the webhook worker: eight posts to each receiver are in flight, and the rest waits. */
async function fillWebhooks(): Promise<void> {
  at.receiver.behave({ delayMs: 1_000 });
  for (let count = 0; count < webhooks; count += 1) await subscribe(`${at.receiver.url}/${count}`);
  const messages = Array.from({ length: eventsEach }, () => ({ to: '+15550001000', text: 'hello' }));
  await askPatiently('POST', `${api.url}/v1/notify/sms/bulk`, subscriber.key, { messages });
  // Each begins with one post, then two, then eight.
  await at.receiver.atLeast(11 * webhooks);
}

/** Fills the dispatch worker: half of what waits is in flight. */
async function fillDispatch(): Promise<void> {
  at.gateway.behave({ answer: 'take', latencyMs: 4_000 });
  const ids = [];
  for (let count = 0; count < accounts; count += 1) ids.push(await connect(api.url, sender, at.gateway));
  await sendAll(ids, messagesEach);
  await at.gateway.when((ledger) => ledger.length >= 500);
}

/** Has both workers wait for an answer that does not come. */
async function fillSilence(): Promise<void> {
  silentGateway.behave({ answer: 'take-and-hang' });
  silentReceiver.behave({ hang: true });
  await subscribe(silentReceiver.url);
  const silent = await connect(api.url, sender, silentGateway, 'at-most-once');
  await sendText(api.url, subscriber, 'silence');
  await sendAll([silent], hanging);
  await silentGateway.when((ledger) => ledger.length === hanging);
  await silentReceiver.atLeast(1);
}

function subscribe(url: string): Promise<Answer> {
  return askPatiently('POST', `${api.url}/v1/webhooks`, subscriber.bearer, {
    url,
    events: ['message.queued'],
  });
}

/** Clients that keep their connections, send until they are told that these end, and go elsewhere then. */
function startClients(): { readonly answers: readonly string[]; readonly gone: Promise<unknown> } {
  const answers: string[] = [];
  const one = async (): Promise<void> => {
    for (let last = ''; last !== 'close';) {
      const { status, headers } = await sendText(api.url, client, crypto.randomUUID());
      last = headers.get('connection') ?? '';
      answers.push(`${status} ${last}`);
    }
  };
  return { answers, gone: Promise.all(Array.from({ length: 8 }, one)) };
}

const numberOf = async (table: string, where = sql`true`): Promise<number> =>
  (await sql`select 1 from ${sql.table(table)} where ${where}`.execute(at.db)).rows.length;

test('SIGTERM with 500 calls in flight: what is answered is settled, what is not is unknown, and no lease is left', async () => {
  const clients = startClients();
  await fillWebhooks();
  await fillDispatch();
  await fillSilence();
  const slow = ask('POST', `${api.url}/auth/login`, {}, { email: sender.email, password });
  const inFlight = at.gateway.ledger().length;
  const ended = await Promise.all([api, dispatch, webhook].map(terminate));
  const told = ended.map(({ name, ms }) => `${name} ended after ${ms} ms`).join(', ');
  process.stdout.write(`SIGTERM when ${inFlight} calls had begun: ${told}\n`);
  for (const { code, ms } of ended)
    expect({ code, inTime: ms < promisedMs }).toEqual({ code: 0, inTime: true });

  expect((await slow).status).toBe(200);
  await clients.gone;
  expect(new Set(clients.answers)).toEqual(new Set(['202 keep-alive', '202 close']));
  expect(await numberOf('messages', sql`tenant_id = ${client.id}`)).toBe(clients.answers.length);

  const claimed = sql`claimed_by is not null`;
  expect([await numberOf('dispatch_due', claimed), await numberOf('delivery_due', claimed)]).toEqual([0, 0]);
  const accepted = await numberOf('attempts', sql`outcome = 'accepted' and number = 1 and text is null`);
  expect(accepted).toBeGreaterThanOrEqual(at.gateway.ledger().length);
  expect(await numberOf('attempts', sql`outcome = 'unknown'`)).toBe(hanging);
  expect(await numberOf('messages', sql`error_code = 'outcome-unknown'`)).toBe(hanging);
});

test('others go on at once with what was left, and nothing is sent or told twice', async () => {
  for (const receiver of [at.receiver, silentReceiver]) receiver.behave({ status: 200 });
  at.gateway.behave({ answer: 'take' });
  const beganAt = performance.now();
  await Promise.all([at.start('dispatch-worker'), at.start('webhook-worker')]);
  await at.gateway.when((ledger) => ledger.length === accounts * messagesEach);
  await until(async () => (await numberOf('dispatch_due')) + (await numberOf('delivery_due')) === 0);
  process.stdout.write(
    `all of it was done ${Math.round(performance.now() - beganAt)} ms after others started\n`,
  );
  expect(at.gateway.ledger().filter(({ taken }) => taken !== 1)).toEqual([]);
  expect(silentGateway.ledger().filter(({ asked }) => asked !== 1)).toEqual([]);
  const told = at.receiver.received.map(({ url, headers }) => `${url} ${String(headers['webhook-id'])}`);
  expect(new Set(told).size).toBe(told.length);
  expect(told.length).toBe(webhooks * (eventsEach + 1));
});
