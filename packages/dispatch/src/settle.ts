import { createSettler, plainFirst, type Settle } from '@notify/batching';
import { takeDefaultOnSuccess } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { learnAddresses } from '@notify/db/inbound';
import { isPlainSuccess, settleMessages, settleSent } from '@notify/db/dispatch';
import { type Log, reached } from '@notify/runtime';
import { traces } from '@notify/telemetry';
import type { WakeGroups } from './groups.ts';
import { countSent, countSettled, type EndedAttempt } from './message-metrics.ts';
import { traceSettled } from './message-traces.ts';
import type { Receipts } from './receipts.ts';
import type { WakeWebhooks } from './wake-webhooks.ts';

export interface MessageSettlerOptions {
  readonly db: Db;
  readonly log: Log;
  readonly wakeWebhooks: WakeWebhooks;
  readonly wakeGroups: WakeGroups;
  readonly receipts: Pick<Receipts, 'applyEarly' | 'applyIn'>;
}

const maxItems = 200;
/** Two thirds of the cost of a small batch is fixed. Waiting here delays no call to a provider. */
const apartMs = 20;

/**
 * Settles attempts in batches across all turns of the process. The provider's answer exists only in this process, so it
 * is kept while the database cannot store it. If the lease ends meanwhile, the settlement notices. Accounts with plain
 * successes alone are settled by one statement.
 */
export function createMessageSettler(options: MessageSettlerOptions): Settle<EndedAttempt> {
  return createSettler({
    kind: 'messages',
    maxItems,
    apartMs,
    run: plainFirst<EndedAttempt>({
      kind: 'messages',
      idOf: (settlement) => settlement.messageId,
      ownerOf: (settlement) => settlement.accountId,
      isPlain: isPlainSuccess,
      runPlain: (settlements) => settlePlainBatch(settlements, options),
      run: (settlements) => settleBatch(settlements, options),
    }),
    onFailure: (error, settlements) =>
      options.log.tell('settlement-waits', { err: error, messages: settlements.length }),
  });
}

/** Returns the ids of the messages that were settled. */
async function settlePlainBatch(
  settlements: readonly EndedAttempt[],
  options: MessageSettlerOptions,
): Promise<ReadonlySet<string>> {
  reached('dispatch-settling');
  const beganAt = performance.now();
  await learn(settlements, options);
  const sent = await settleSent(options.db, settlements, traces.enabled);
  const { messageIds, webhooks } = sent;
  countSent(settlements, sent);
  if (messageIds.size > 0) reached('dispatch-settled');
  options.wakeWebhooks(webhooks);
  const settled = settlements.filter((one) => messageIds.has(one.messageId));
  traceSettled(settled, beganAt);
  options.receipts.applyEarly(settled.flatMap(namedByProvider));
  return messageIds;
}

async function settleBatch(
  settlements: readonly EndedAttempt[],
  options: MessageSettlerOptions,
): Promise<void> {
  reached('dispatch-settling');
  const beganAt = performance.now();
  await learn(settlements, options);
  const done = await settleMessages(options.db, settlements, traces.enabled);
  const { webhooks, groups, lost, connected } = done;
  countSettled(settlements, done);
  reached('dispatch-settled');
  traceSettled(settlements, beganAt, lost);
  options.wakeWebhooks(webhooks);
  options.wakeGroups(groups);
  if (lost.length > 0) {
    options.log.tell('leases-lost', { messageIds: lost });
    options.receipts.applyIn(0);
  }
  await takeDefaults(connected, options);
  for (const afterMs of foreseenDelays(settlements)) options.receipts.applyIn(afterMs);
  options.receipts.applyEarly(settlements.flatMap(namedByProvider));
}

/**
 * Keeps the addresses by which providers know the recipients. First, so that it is repeated with the settlement if the database is
 * away. It is true even if the lease is lost.
 */
async function learn(
  settlements: readonly EndedAttempt[],
  { db, wakeWebhooks }: MessageSettlerOptions,
): Promise<void> {
  const learned = settlements.flatMap(({ accountId, outcome }) =>
    outcome.kind === 'accepted' && outcome.address !== undefined ? [{ accountId, ...outcome.address }] : [],
  );
  const webhooks = await learnAddresses(db, learned);
  if (webhooks.length > 0) wakeWebhooks(webhooks);
}

/** An error must not repeat the batch, which is settled. A later check of the account makes up for it. */
async function takeDefaults(
  accountIds: readonly string[],
  { db, log }: Pick<MessageSettlerOptions, 'db' | 'log'>,
): Promise<void> {
  for (const accountId of accountIds) {
    try {
      await takeDefaultOnSuccess(db, accountId);
    } catch (error) {
      log.tell('default-not-taken', { err: error, accountId });
    }
  }
}

function foreseenDelays(settlements: readonly EndedAttempt[]): Set<number> {
  return new Set(
    settlements.flatMap(({ outcome }) =>
      outcome.kind === 'accepted' ? (outcome.receipts ?? []).map((receipt) => receipt.afterMs) : [],
    ),
  );
}

/** The provider's ids of accepted messages. Receipts may have arrived with these ids before we knew them. */
function namedByProvider({ accountId, outcome }: EndedAttempt): { accountId: string; externalId: string }[] {
  return outcome.kind === 'accepted' && outcome.externalId !== null
    ? [{ accountId, externalId: outcome.externalId }]
    : [];
}
