import type { Db } from '@notify/db/connection';
import { type Settlement, settleMessages } from '@notify/db/dispatch';
import type { Wake } from '@notify/db/messages';
import { joinReceipts } from '@notify/db/receipts';
import { type Log, reached } from '@notify/runtime';
import { createSettler, type Settle } from '@notify/turns';

export interface MessageSettlerOptions {
  readonly db: Db;
  readonly log: Log;
  readonly wakeWebhooks: (webhooks: readonly Wake[]) => void;
  /** Joins what reports are due in so many ms. */
  readonly joinReceiptsIn: (afterMs: number) => void;
}

const maxItems = 200;
/** Two thirds of what a small batch costs are the same for a large one; what waits here is not on the way to the provider. */
const apartMs = 20;

/**
 * Settles attempts in batches over all turns of the process. What a provider answered is known only here, so it is kept
 * while the database cannot store it; a lease that has ended meanwhile is noticed in the settlement.
 */
export function createMessageSettler(options: MessageSettlerOptions): Settle<Settlement> {
  return createSettler({
    maxItems,
    apartMs,
    run: (settlements) => settleBatch(settlements, options),
    onFailure: (error, settlements) =>
      options.log.warn({ err: error, messages: settlements.length }, 'settlement waits for the database'),
  });
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
    options.joinReceiptsIn(0);
  }
  for (const afterMs of foreseenDelays(settlements)) options.joinReceiptsIn(afterMs);
  joinEarly(settlements, options);
}

function foreseenDelays(settlements: readonly Settlement[]): Set<number> {
  return new Set(
    settlements.flatMap(({ outcome }) =>
      outcome.kind === 'accepted' ? (outcome.receipts ?? []).map((receipt) => receipt.afterMs) : [],
    ),
  );
}

/** Reports that named a message by the provider's id before we knew it. What this misses the sweeper joins. */
function joinEarly(
  settlements: readonly Settlement[],
  { db, wakeWebhooks, log }: MessageSettlerOptions,
): void {
  const messages = settlements.flatMap(({ accountId, outcome }) =>
    outcome.kind === 'accepted' && outcome.externalId !== null
      ? [{ accountId, externalId: outcome.externalId }]
      : [],
  );
  if (messages.length === 0) return;
  joinReceipts(db, { kind: 'external', messages }).then(
    ({ webhooks }) => {
      reached('receipts-joined');
      wakeWebhooks(webhooks);
    },
    (error: unknown) => log.warn({ err: error }, 'early receipts left to the sweeper'),
  );
}
