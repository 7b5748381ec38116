import type { Db } from '@notify/db/connection';
import { isPlainSuccess, type Settlement, settleMessages, settleSent } from '@notify/db/dispatch';
import { type Log, reached } from '@notify/runtime';
import { createSettler, plainFirst, type Settle } from '@notify/turns';
import type { Receipts } from './receipts.ts';
import type { WakeWebhooks } from './wake-webhooks.ts';

export interface MessageSettlerOptions {
  readonly db: Db;
  readonly log: Log;
  readonly wakeWebhooks: WakeWebhooks;
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
export function createMessageSettler(options: MessageSettlerOptions): Settle<Settlement> {
  return createSettler({
    maxItems,
    apartMs,
    run: plainFirst({
      idOf: (settlement) => settlement.messageId,
      groupOf: (settlement) => settlement.accountId,
      isPlain: isPlainSuccess,
      runPlain: (settlements) => settlePlainBatch(settlements, options),
      run: (settlements) => settleBatch(settlements, options),
    }),
    onFailure: (error, settlements) =>
      options.log.warn({ err: error, messages: settlements.length }, 'settlement waits for the database'),
  });
}

/** Returns the ids of the messages that were settled. */
async function settlePlainBatch(
  settlements: readonly Settlement[],
  options: MessageSettlerOptions,
): Promise<ReadonlySet<string>> {
  reached('dispatch-settling');
  const { messageIds, webhooks } = await settleSent(options.db, settlements);
  if (messageIds.size > 0) reached('dispatch-settled');
  options.wakeWebhooks(webhooks);
  const settled = settlements.filter((one) => messageIds.has(one.messageId));
  options.receipts.applyEarly(settled.flatMap(namedByProvider));
  return messageIds;
}

async function settleBatch(
  settlements: readonly Settlement[],
  options: MessageSettlerOptions,
): Promise<void> {
  reached('dispatch-settling');
  const { webhooks, lost } = await settleMessages(options.db, settlements);
  reached('dispatch-settled');
  options.wakeWebhooks(webhooks);
  if (lost.length > 0) {
    options.log.warn({ messageIds: lost }, 'leases were lost before their attempts ended');
    options.receipts.applyIn(0);
  }
  for (const afterMs of foreseenDelays(settlements)) options.receipts.applyIn(afterMs);
  options.receipts.applyEarly(settlements.flatMap(namedByProvider));
}

function foreseenDelays(settlements: readonly Settlement[]): Set<number> {
  return new Set(
    settlements.flatMap(({ outcome }) =>
      outcome.kind === 'accepted' ? (outcome.receipts ?? []).map((receipt) => receipt.afterMs) : [],
    ),
  );
}

/** The provider's ids of accepted messages. Receipts may have arrived with these ids before we knew them. */
function namedByProvider({ accountId, outcome }: Settlement): { accountId: string; externalId: string }[] {
  return outcome.kind === 'accepted' && outcome.externalId !== null
    ? [{ accountId, externalId: outcome.externalId }]
    : [];
}
