import { type RunningProcess, type RunningRedis, startRedis, testWith } from '@notify/testkit';
import { sql } from 'kysely';
import {
  type Answer,
  ask,
  connect,
  type Installation,
  openInstallation,
  register,
  type Tenant,
  until,
} from '../installation.ts';

const test = testWith('redis-server');

const clients = 64;
const keys = Array.from({ length: 400 }, (_, index) => `key-${index}`);
/** A client sends its keys in calls of this many, so that all of a call's keys race at once; every tenth call is a text. */
const keysPerCall = 25;
/** Above the number of keys, so that multiples of anything put them in its own order. */
const prime = 401;
/** Of the calls, how many are answered when an api is killed. */
const killedAfter = 0.3;

let redis: RunningRedis;
let at: Installation;
let apis: RunningProcess[];
let tenant: Tenant;

beforeAll(async () => {
  redis = await startRedis();
  at = await openInstallation(redis.url, { MESSAGES_PER_MINUTE: '0' });
  apis = [await at.start('api'), await at.start('api')];
  const workers = [await at.start('dispatch-worker'), await at.start('dispatch-worker')];
  await Promise.all([...apis, ...workers].map((one) => one.ready()));
  tenant = await register(apis[0]!.url, 'ann');
  await connect(apis[0]!.url, tenant, at.gateway, 'at-most-once');
});

afterAll(async () => {
  await at?.close();
  await redis?.stop();
});

const itemOf = (key: string) => ({ to: '+15550001000', text: `text of ${key}`, idempotencyKey: key });

/** What the clients got: every id that a 202 gave for a key, and how many calls there were of each sort. */
interface Book {
  readonly ids: Map<string, string[]>;
  accepted: number;
  /** Calls whose connection broke: nobody knows whether they were accepted, so they were made again. */
  broken: number;
  /** Statuses of answers other than 202. */
  readonly refused: number[];
}

/** The keys in an order of the client's own, in calls of one text or of many. */
function callsOf(client: number): string[][] {
  const calls: string[][] = [];
  const step = 7 + 2 * client;
  const order = keys.map((key, index) => ({ key, place: (index * step + client * 31) % prime }));
  const rest = order.toSorted((a, b) => a.place - b.place).map(({ key }) => key);
  while (rest.length > 0) calls.push(rest.splice(0, calls.length % 10 === 9 ? 1 : keysPerCall));
  return calls;
}

function callOnce(api: string, call: readonly string[]): Promise<Answer> {
  const [path, body] =
    call.length === 1 ? ['text', itemOf(call[0]!)] : ['bulk', { messages: call.map(itemOf) }];
  return ask('POST', `${api}/v1/notify/sms/${path}`, tenant.key, body);
}

/** Sends all keys, each call until it is answered with 202: at the client's own api first, then at the other. */
async function race(client: number, book: Book): Promise<void> {
  for (const call of callsOf(client)) {
    let answer: Answer | null = null;
    for (let attempt = client; answer?.status !== 202; attempt += 1) {
      answer = await callOnce(apis[attempt % apis.length]!.url, call).catch(() => null);
      if (answer === null) book.broken += 1;
      else if (answer.status !== 202) book.refused.push(answer.status);
    }
    const messages = [answer.body].flat() as unknown as readonly { readonly id: string }[];
    for (const [index, key] of call.entries()) book.ids.get(key)!.push(messages[index]!.id);
    book.accepted += 1;
  }
}

test('64 clients race 400 keys over two apis, one of which is killed: each key is one message, sent once', async () => {
  const book: Book = { ids: new Map(keys.map((key) => [key, []])), accepted: 0, broken: 0, refused: [] };
  const calls = clients * callsOf(0).length;
  const racing = Promise.all(Array.from({ length: clients }, (_, client) => race(client, book)));
  const killing = (async () => {
    await until(() => book.accepted > calls * killedAfter);
    const [, second] = apis;
    second!.process.kill('SIGKILL');
    expect(await second!.ended()).toBe('SIGKILL');
    apis[1] = await second!.restart();
    await apis[1].ready();
  })();
  await Promise.all([racing, killing]);

  expect(book.broken).toBeGreaterThan(0);
  expect(book.refused.filter((status) => status !== 503)).toEqual([]);
  expect([...book.ids.values()].filter((ids) => ids.length !== clients || new Set(ids).size !== 1)).toEqual(
    [],
  );
  const accepted = new Set([...book.ids.values()].flat());
  expect(accepted.size).toBe(keys.length);

  const stored = sql<{ id: string; status: string }>`select 'msg_' || id as id, status from messages`;
  const isDone = async () => (await stored.execute(at.db)).rows.every(({ status }) => status === 'sent');
  await until(isDone);
  expect(new Set((await stored.execute(at.db)).rows.map(({ id }) => id))).toEqual(accepted);
  const ledger = at.gateway.ledger();
  expect(ledger.map(({ text }) => text).toSorted()).toEqual(keys.map((key) => itemOf(key).text).toSorted());
  expect(ledger.filter(({ asked, taken }) => asked !== 1 || taken !== 1)).toEqual([]);
  process.stdout.write(
    `idempotency: ${calls} calls by ${clients} clients with ${keys.length} keys, ${book.broken} broken by the kill; ` +
      `${accepted.size} messages, ${ledger.length} sent once each\n`,
  );
});
