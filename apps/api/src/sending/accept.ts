import { type Batcher, createBatcher, Overdue } from '@notify/batching';
import { scheduleDays } from '@notify/core';
import type { Db } from '@notify/db/connection';
import {
  type AcceptItem,
  acceptMessages,
  acceptResend,
  type AcceptResult,
  type AcceptRules,
  countKnownKeys,
  countScheduled,
  countWaiting,
  type Original,
} from '@notify/db/messages';
import type { NewGroup } from '@notify/db/groups';
import type { Waker } from '@notify/queue';
import { currentRequest, type Log, reached, type Settings } from '@notify/runtime';
import type { Origin } from '@notify/telemetry';
import { createFairPlaces, type FairPlaces } from '@notify/turns';
import { refuseLate } from '../admission/admission.ts';
import { measureCommit, measureResults } from './accept-metrics.ts';
import { type AcceptCall, traceAccepted, tracedRules, traceparentOf } from './accept-traces.ts';
import { type GroupCall, type GroupResult, storeGroup } from './accept-group.ts';
import { wakeAccepted } from './accept-wakes.ts';
import { type Backlog, createBacklog } from './backlog.ts';
import { isLater } from './send-at.ts';

/** The outcome of one message that a tenant wanted to send. */
export type SendResult = AcceptResult | { readonly kind: 'refused'; readonly code: 'limit-reached' };

/** The failed message that a resend replaces, and its sender's `traceparent`, which the new message keeps. */
export interface OriginalOfTrace extends Original {
  readonly traceparent: string | null;
}

/** Has messages stored for sending: see `accept`. */
export interface Acceptor {
  readonly options: AcceptorOptions;
  readonly rules: AcceptRules;
  readonly backlogs: Readonly<Record<'now' | 'later', Backlog>>;
  readonly batcher: Batcher<AcceptCall, readonly SendResult[]>;
  readonly groups: Batcher<GroupCall, GroupResult>;
  readonly groupTurns: FairPlaces;
}

export interface AcceptorOptions {
  readonly db: Db;
  readonly waker: Waker;
  readonly log: Log;
  readonly settings: Pick<
    Settings,
    | 'idempotencyDays'
    | 'trialEnforcement'
    | 'emailVerification'
    | 'maxWaitingPerTenant'
    | 'maxScheduledPerTenant'
    | 'messageRetentionDays'
  >;
}

const maxItems = 500;
/** Commits in flight at once: one is prepared while the other is written to disk. */
const concurrency = 2;
/** How long a send may wait for its commit, in ms. Then it is refused, and never stored. */
const maxWaitMs = 1_000;
/** Commits of groups in flight at once. One is kept from each tenant for the others, because its groups may wait for a lock. */
const groupPlaces = { places: 3, perGroup: 2, maxWaitMs };

/**
 * The group commit. While one commit is in flight the next collects its calls. The messages of one call stay together,
 * so a call is stored whole or not at all. Wakes go out after the answer, and a failed wake is only a delay.
 */
export function createAcceptor(options: AcceptorOptions): Acceptor {
  const { db, settings } = options;
  const rules = {
    idempotencyDays: settings.idempotencyDays,
    blockExpiredTrials: settings.trialEnforcement === 'block',
    requireConfirmedEmail: settings.emailVerification === 'required',
    scheduleDays: scheduleDays(settings.messageRetentionDays),
  };
  const backlogs = {
    now: createBacklog(settings.maxWaitingPerTenant, (tenantId, atMost) =>
      countWaiting(db, tenantId, atMost),
    ),
    later: createBacklog(settings.maxScheduledPerTenant, (tenantId, atMost) =>
      countScheduled(db, tenantId, atMost),
    ),
  };
  const batcher = createBatcher<AcceptCall, readonly SendResult[]>({
    maxItems,
    concurrency,
    maxWaitMs,
    weigh: ({ items }) => items.length,
    run: async (calls) => {
      reached('accept-begun');
      const beganAt = performance.now();
      const items = calls.flatMap((call) => call.items);
      const accepted = await measureCommit(items, () => acceptMessages(db, items, tracedRules(rules, calls)));
      reached('accept-committed');
      const results = divide(calls, accepted.results);
      traceAccepted(calls, results, beganAt);
      wakeAccepted(accepted, options);
      return results;
    },
  });
  // Begins at once what has a place, and again after a conflict.
  const groups = createBatcher<GroupCall, GroupResult>({
    maxItems: 1,
    concurrency: groupPlaces.places,
    run: async ([call]) => [await storeGroup(call!, rules, options)],
  });
  return { options, rules, backlogs, batcher, groups, groupTurns: createFairPlaces(groupPlaces) };
}

/**
 * Stores messages in the next group commit and wakes their accounts and webhooks. Answers in the order of the items.
 * Besides the refusals of the commit, a tenant with too many waiting messages gets `limit-reached`. Throws `unavailable`,
 * and stores nothing, if no commit takes them within a second. `origin` is their request; null where traces are off.
 */
export async function accept(
  acceptor: Acceptor,
  items: readonly AcceptItem[],
  origin: Origin | null,
): Promise<readonly SendResult[]> {
  const tenantId = items[0]?.tenantId;
  if (tenantId === undefined) return [];
  if (!(await admits(acceptor, tenantId, items))) return refuse(items);
  const traceparent = traceparentOf(origin, tenantId, items.length);
  const call = { items, origin, traceparent, at: performance.now() };
  const results = await acceptor.batcher.add(call).catch((error: unknown) => {
    throw error instanceof Overdue ? refuseLate() : error;
  });
  noteAccepted(results, acceptor.options.log);
  return results;
}

/**
 * Stores a group with the message of its first route, in a separate commit, and wakes what has work. Refuses and throws as
 * `accept` does.
 */
export async function acceptGroup(
  acceptor: Acceptor,
  group: NewGroup,
  origin: Origin | null,
): Promise<GroupResult> {
  if (!(await admits(acceptor, group.tenantId, [group]))) return { ...refused, route: null };
  const traceparent = traceparentOf(origin, group.tenantId, 1);
  const call = { group, origin, traceparent, at: performance.now() };
  const result = await acceptor.groupTurns
    .run(group.tenantId, () => acceptor.groups.add(call))
    .catch((error: unknown) => {
      throw error instanceof Overdue ? refuseLate() : error;
    });
  if (result.kind === 'accepted') noteAccepted([result], acceptor.options.log);
  return result;
}

/** Whether one more message of the tenant may wait. If so, it counts from now on. */
export function admitsOne({ backlogs }: Acceptor, tenantId: string): Promise<boolean> {
  return backlogs.now.admits(tenantId, 1);
}

/** Stores one message that replaces a failed one, in a separate commit, because this is rare. */
export async function acceptResent(
  acceptor: Acceptor,
  item: AcceptItem,
  original: OriginalOfTrace,
  origin: Origin | null,
): Promise<SendResult> {
  const { options, rules } = acceptor;
  if (!(await admits(acceptor, item.tenantId, [item]))) return refuse([item])[0]!;
  const at = performance.now();
  const traceparent = original.traceparent ?? traceparentOf(origin, item.tenantId, 1);
  const calls = [{ items: [item], origin, traceparent, at }];
  const accepted = await measureCommit([item], () =>
    acceptResend(options.db, item, original, tracedRules(rules, calls)),
  );
  traceAccepted(calls, [accepted.results], at);
  wakeAccepted(accepted, options);
  noteAccepted(accepted.results, options.log);
  return accepted.results[0]!;
}

/** Whether so many more messages of the tenant may wait, of those for now and of those for later. */
async function admits(
  { backlogs, options }: Acceptor,
  tenantId: string,
  items: readonly Waiting[],
): Promise<boolean> {
  const groups = Object.entries(Object.groupBy(items, ({ sendAt }) => (isLater(sendAt) ? 'later' : 'now')));
  for (const [when, group] of groups) {
    const backlog = backlogs[when as keyof typeof backlogs];
    const admitted =
      (await backlog.admits(tenantId, group.length)) || (await admitsNew(tenantId, group, backlog, options));
    if (!admitted) return false;
  }
  return true;
}

/** What of an item decides whether its tenant's limit admits it. */
type Waiting = Pick<AcceptItem, 'sendAt' | 'idempotencyKey'>;

const refused = { kind: 'refused', code: 'limit-reached' } as const;

function refuse(items: readonly AcceptItem[]): SendResult[] {
  const results = items.map(() => refused);
  measureResults(items, results);
  return results;
}

/**
 * Whether refused items may be accepted after all, because some of them are repeats. A repeat adds no waiting message,
 * so it is answered even at the limit.
 */
async function admitsNew(
  tenantId: string,
  items: readonly Waiting[],
  backlog: Backlog,
  { db, settings }: AcceptorOptions,
): Promise<boolean> {
  const keys = items.flatMap((item) => item.idempotencyKey ?? []);
  if (keys.length === 0) return false;
  const repeated = await countKnownKeys(db, tenantId, keys, settings.idempotencyDays);
  const fresh = items.length - repeated;
  return fresh === 0 || (repeated > 0 && backlog.admits(tenantId, fresh));
}

/** Notes for the line of the request which message it accepted, or how many. */
function noteAccepted(
  results: readonly (object | { readonly message: { readonly id: string } })[],
  log: Log,
): void {
  const request = currentRequest();
  if (request === undefined) return;
  const [only, ...more] = results;
  if (more.length > 0) request.messages = results.length;
  else if (only !== undefined && 'message' in only) request.messageId = only.message.id;
  if (more.length === 0 || !log.tells('messages-accepted')) return;
  const messageIds = results.flatMap((result) => ('message' in result ? [result.message.id] : []));
  log.tell('messages-accepted', { messageIds });
}

/** Splits the results by call. */
function divide(calls: readonly AcceptCall[], results: readonly AcceptResult[]): AcceptResult[][] {
  let start = 0;
  return calls.map(({ items }) => results.slice(start, (start += items.length)));
}
