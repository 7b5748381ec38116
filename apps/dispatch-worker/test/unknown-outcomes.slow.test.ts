import type { Checkpoint } from '@notify/runtime';
import { testWith, untilKilled } from '@notify/testkit';
import { type CrashCase, crashCases, outlived, reportedLate, sharedCheckpoints } from './crash-cases.ts';
import { type Crashes, startCrashes } from './crashes.ts';

const test = testWith('redis-server');

/** Longer than the lease of the test's workers, with time to spare for another to take over. */
const blockMs = 15_000;

/** An account as the api shows it. */
interface Account {
  readonly id: string;
  readonly callbackUrl: string;
}

interface Sent {
  readonly messageId: string;
  readonly callbackUrl: string;
}

let crashes: Crashes;
let token: string;
let key: string;
const sentBy = new Map<CrashCase, Sent>();

/** Asks the api, and again where it is too busy, as clients do. */
async function ask<T>(path: string, headers: Record<string, string>, body?: object): Promise<T> {
  const answer = await fetch(`${crashes.api.url}${path}`, {
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  if (answer.status === 503) return ask(path, headers, body);
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

const manage = <T>(path: string, body: object) => ask<T>(path, { authorization: `Bearer ${token}` }, body);
const notify = <T>(path: string, body?: object) => ask<T>(path, { 'x-api-key': key }, body);

async function register(): Promise<void> {
  const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse' };
  token = (await ask<{ data: { accessToken: string } }>('/auth/register', {}, ann)).data.accessToken;
  key = (await manage<{ key: string }>('/tenant/api-keys', { name: 'test' })).key;
  await manage('/v1/webhooks', { url: 'http://127.0.0.1:9/' });
}

/** Settings without an address for reports. */
const muted = {
  body: { type: 'form', fields: { id: '{{id}}', to: '{{to}}', text: '{{text}}' } },
  reports: { status: 'status', values: { sent: 'sent', delivered: 'delivered' } },
};

/** An account at the gateway, of a provider that only the test's workers have. */
async function connect({ provider, policy, mute }: CrashCase): Promise<Account> {
  const { gateway } = crashes;
  const settings = { ...gateway.settings, ...(mute && muted), onUnknownOutcome: policy };
  const account = await manage<Account>('/v1/channel-accounts', {
    provider: 'http-sms',
    name: provider,
    settings,
  });
  await crashes.db.updateTable('channel_accounts').set({ provider }).where('id', '=', account.id).execute();
  return account;
}

async function send(channelAccountId: string): Promise<string> {
  const message = {
    to: '+4915112345678',
    text: 'Hello',
    channelAccountId,
    idempotencyKey: channelAccountId,
  };
  return (await notify<{ id: string }>('/v1/notify/sms/text', message)).id;
}

/** A case, and the account of its message. */
type Victim = readonly [CrashCase, Account];

/** Those whose messages get to their first kill together. */
function companies(victims: readonly Victim[]): (readonly [Victim, ...Victim[]])[] {
  const firstOf = ([{ kills }]: Victim): Checkpoint => kills[0]!.checkpoint;
  const shared = (victim: Victim): unknown =>
    sharedCheckpoints.has(firstOf(victim)) ? firstOf(victim) : victim;
  return [...Map.groupBy(victims, shared).values()] as [Victim, ...Victim[]][];
}

/** Kills the worker that has the messages, and then, when their leases have ended, each that takes one over. */
async function crash(victims: readonly [Victim, ...Victim[]]): Promise<void> {
  await dieTogether(victims);
  await Promise.all(
    victims.map(async ([one, { id }]) => {
      await endLease(id);
      for (const kill of one.kills.slice(1)) {
        const harm = { does: 'kill-at', ...kill } as const;
        await crashes.harmful.suffer([id], harm, async () => undefined, untilKilled);
        await endLease(id);
      }
    }),
  );
}

/**
 * Kills one worker when the messages of all have got to the checkpoint. Those that are claimed sooner stay before their
 * calls, and those that are answered sooner before the ends of these.
 */
async function dieTogether(victims: readonly [Victim, ...Victim[]]): Promise<void> {
  const { checkpoint } = victims[0][0].kills[0]!;
  // Outcomes of several accounts are settled in one batch.
  const nth = checkpoint === 'dispatch-settling' ? 1 : victims.length;
  const isBeforeCalls = checkpoint === 'dispatch-claimed' || checkpoint === 'dispatch-calling';
  await crashes.harmful.suffer(
    victims.map(([, { id }]) => id),
    { does: 'kill-at', checkpoint, nth },
    async () => void (await Promise.all(victims.map((victim) => sendTo(...victim)))),
    untilKilled,
    isBeforeCalls ? { HOLD_CALLS: 'yes' } : { ANSWERS_TOGETHER: String(victims.length) },
  );
}

/** As if its time had passed. */
async function endLease(accountId: string): Promise<void> {
  await crashes.db
    .updateTable('dispatch_due')
    .set((of) => ({ claimed_until: of.fn<Date>('now') }))
    .where('account_id', '=', accountId)
    .where('claimed_until', 'is not', null)
    .execute();
}

/** Blocks the worker that has the message until another has taken it over and brought it to its end. */
async function outlive(one: CrashCase, account: Account): Promise<void> {
  const first = () => sendTo(one, account);
  const harm = { does: 'block', checkpoint: 'dispatch-claimed', ms: blockMs } as const;
  await crashes.harmful.suffer([account.id], harm, first, async (worker) => {
    await until(() => leaseHolds(account.id));
    await until(async () => !(await leaseHolds(account.id)));
    await crashes.harmful.wakeSurvivor(account.id);
    await until(async () => !(await isDue(account.id)));
    await worker.ready();
    await worker.stop();
  });
}

async function sendTo(one: CrashCase, { id, callbackUrl }: Account): Promise<void> {
  sentBy.set(one, { messageId: await send(id), callbackUrl });
}

const isDue = (accountId: string) =>
  crashes.db
    .selectFrom('dispatch_due')
    .select((of) => of('claimed_until', '>', of.fn<Date>('now')).as('leased'))
    .where('account_id', '=', accountId)
    .executeTakeFirst();

const leaseHolds = async (accountId: string) => (await isDue(accountId))?.leased === true;

/** Until every message has left, and every report is joined to its own. */
async function untilQuiet(): Promise<void> {
  for (const table of ['dispatch_due', 'receipts'] as const)
    await until(async () => !(await crashes.db.selectFrom(table).selectAll().executeTakeFirst()));
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 50));
}

const uuidOf = (messageId: string) => messageId.replace(/^msg_/, '');

const takenOf = ({ messageId }: Sent): number =>
  crashes.gateway.ledger().find((entry) => entry.id === uuidOf(messageId))?.taken ?? 0;

const look = ({ messageId }: Sent) => notify<Record<string, unknown>>(`/v1/notify/messages/${messageId}`);

async function eventsOf({ messageId }: Sent): Promise<Record<string, unknown>[]> {
  const rows = await crashes.db
    .selectFrom('events')
    .select('body')
    .where('message_id', '=', uuidOf(messageId))
    .orderBy('sequence')
    .execute();
  return rows.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
}

async function report({ callbackUrl, messageId }: Sent, status: string): Promise<void> {
  const answer = await fetch(`${callbackUrl}?notify_id=${uuidOf(messageId)}&status=${status}`);
  expect(answer.status).toBe(200);
  await untilQuiet();
}

beforeAll(async () => {
  crashes = await startCrashes();
  await register();
  const victims: Victim[] = [];
  for (const one of crashCases) victims.push([one, await connect(one)]);
  const blocked = outlive(outlived, await connect(outlived));
  await Promise.all([blocked, ...companies(victims).map(crash)]);
  await crashes.harmful.sweep();
  await untilQuiet();
});

afterAll(() => crashes?.[Symbol.asyncDispose]());

const told = {
  sent: ['message.queued', 'message.sent'],
  delivered: ['message.queued', 'message.sent', 'message.delivered'],
  failed: ['message.queued', 'message.failed'],
};

/** What the api, the gateway and the events say of a message. */
async function endOf(one: CrashCase): Promise<object> {
  const sent = sentBy.get(one)!;
  const { status, errorCode, possibleDuplicate } = await look(sent);
  const events = (await eventsOf(sent)).map((event) => [
    event.sequence,
    event.event,
    event.possibleDuplicate,
  ]);
  return { status, errorCode, possibleDuplicate, taken: takenOf(sent), events };
}

function expectedEnd({ ends }: CrashCase): object {
  const events = told[ends.status].map((event, index) => [
    index + 1,
    event,
    index > 0 && ends.possibleDuplicate,
  ]);
  return { ...ends, errorCode: ends.status === 'failed' ? 'outcome-unknown' : null, events };
}

const named = crashCases.map((one) => {
  const kills = one.kills.map(({ checkpoint }) => checkpoint).join(', then at ');
  return [`${one.provider}${one.mute ? ', report late' : ''}`, one.policy, kills, one] as const;
});

test.each(named)('%s, %s, killed at %s', async (_provider, _policy, _kills, one) => {
  expect(await endOf(one)).toEqual(expectedEnd(one));
});

test('a worker that stood still after its claim, until another had taken over, does not call any more', async () => {
  expect(await endOf(outlived)).toEqual(expectedEnd(outlived));
});

test('a late report corrects a message given up as unknown, and each kind of event still comes once', async () => {
  const sent = sentBy.get(reportedLate.atMostOnce)!;
  await report(sent, 'sent');
  expect(await look(sent)).toMatchObject({ status: 'sent', errorCode: null, error: null, failedAt: null });
  await report(sent, 'delivered');
  await report(sent, 'sent');
  expect(await look(sent)).toMatchObject({ status: 'delivered', possibleDuplicate: false });
  const kinds = (await eventsOf(sent)).map(({ event }) => event);
  expect(kinds).toEqual(['message.queued', 'message.failed', 'message.sent', 'message.delivered']);
  expect(takenOf(sent)).toBe(1);
});

test('a late report of a message that was sent again leaves it a possible duplicate', async () => {
  const sent = sentBy.get(reportedLate.atLeastOnce)!;
  await report(sent, 'delivered');
  await report(sent, 'delivered');
  expect(await look(sent)).toMatchObject({ status: 'delivered', possibleDuplicate: true });
  expect((await eventsOf(sent)).map(({ event }) => event)).toEqual(told.delivered);
  expect(takenOf(sent)).toBe(2);
});
