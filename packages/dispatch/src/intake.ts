import { createBatcher } from '@notify/batching';
import { type Consent, type Inbound, keywordsOf, type MovedContact, originOf } from '@notify/channels';
import { databaseFault } from '@notify/core';
import type { AccountRow } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import {
  type InboundAccount,
  type NewlyReceived,
  storeReceived,
  type StoredInbound,
} from '@notify/db/inbound';
import { type Log, reached } from '@notify/runtime';
import type { Origin } from '@notify/telemetry';
import { countInbound } from './inbound-metrics.ts';
import { traceStored } from './message-traces.ts';
import { unreadable } from './unreadable.ts';
import type { WakeWebhooks } from './wake-webhooks.ts';

/** What one callback, poll or connection of an account has brought. */
export interface Received {
  readonly inbound: readonly Inbound[];
  readonly moved: readonly MovedContact[];
  readonly consents: readonly Consent[];
}

/** An account that receives, with what is counted of it. */
export interface ReceivingAccount extends InboundAccount {
  readonly provider: string;
}

/** Stores what people write to the accounts, for all callers of the process. */
export interface Intake {
  /**
   * Commits everything, in one batch with that of other callers. Resolves with one result per inbound message, in order.
   * A message that can never be stored as it is becomes an `unsupported` one (`unreadable`). Rejects if the database is
   * away, or if it can never store one of these at all. The others, and those of other callers, are stored all the same.
   * `origin` is the request that brought it.
   */
  store(
    account: ReceivingAccount,
    received: Received,
    origin?: Origin | null,
  ): Promise<readonly StoredInbound[]>;
}

export interface IntakeOptions {
  readonly db: Db;
  readonly log: Log;
  readonly wakeWebhooks: WakeWebhooks;
}

/** Small enough that a batch holds its locks for a moment only. A large message counts as several. */
const maxItems = 200;
const bytesOfOne = 16_384;
/** The least time between two batches, in ms. Most of the cost of a small one is fixed, and providers can wait. */
const apartMs = 20;

interface Item extends Received {
  readonly account: ReceivingAccount;
  readonly origin: Origin | null;
}

/** Makes the intake of one connection pool. */
export function createIntake({ db, log, wakeWebhooks }: IntakeOptions): Intake {
  const storing = createBatcher<Item, readonly StoredInbound[]>({
    maxItems,
    apartMs,
    weigh: ({ inbound, moved, consents }) =>
      inbound.length + moved.length + consents.length + sizeOf(inbound) / bytesOfOne,
    async run(items) {
      const beganAt = performance.now();
      const { results, webhooks } = await storeReceived(db, {
        inbound: items.flatMap(({ account, inbound }) => inbound.map((message) => ({ account, message }))),
        moved: items.flatMap(({ account, moved }) => moved.map((move) => ({ ...move, account }))),
        consents: items.flatMap(({ account, consents }) => consents.map((one) => toConsent(account, one))),
      });
      reached('inbound-stored');
      wakeWebhooks(webhooks);
      const divided = divide(items, results);
      items.forEach((item, index) =>
        countInbound({ ...item, provider: item.account.provider, results: divided[index]! }),
      );
      traceStored(
        items.map(({ origin }, index) => ({ origin, results: divided[index]! })),
        beganAt,
      );
      return divided;
    },
  });

  async function storeAll(
    account: ReceivingAccount,
    received: Received,
    origin: Origin | null,
  ): Promise<readonly StoredInbound[]> {
    try {
      return await storing.add({ ...received, account, origin });
    } catch (error) {
      if (databaseFault(error) !== 'data') throw error;
      log.tell('inbound-divided', { err: error, accountId: account.id });
      return storeSingly(account, received, origin);
    }
  }

  /** Stores all that can be stored, in the order of a batch, and then rejects if something could not. */
  async function storeSingly(
    account: ReceivingAccount,
    { inbound, moved, consents }: Received,
    origin: Origin | null,
  ): Promise<readonly StoredInbound[]> {
    const nothing = { account, inbound: [], moved: [], consents: [], origin };
    const moves = await Promise.allSettled(moved.map((one) => storing.add({ ...nothing, moved: [one] })));
    const stored = await Promise.allSettled(inbound.map((message) => storeOne(account, message, origin)));
    const told = await Promise.allSettled(
      consents.map((one) => storing.add({ ...nothing, consents: [one] })),
    );
    for (const done of [...moves, ...told, ...stored]) if (done.status === 'rejected') throw done.reason;
    return stored.flatMap((done) => (done.status === 'fulfilled' ? done.value : []));
  }

  async function storeOne(
    account: ReceivingAccount,
    message: Inbound,
    origin: Origin | null,
  ): Promise<readonly StoredInbound[]> {
    const single = { account, inbound: [message], moved: [], consents: [], origin };
    try {
      return await storing.add(single);
    } catch (error) {
      if (databaseFault(error) !== 'data') throw error;
      log.tell('inbound-unstorable', { err: error, accountId: account.id });
      return storing.add({ ...single, inbound: [unreadable(message)] });
    }
  }

  return {
    async store(account, received, origin = null) {
      const { inbound, moved, consents } = received;
      if (inbound.length + moved.length + consents.length === 0) return [];
      const results = await storeAll(account, received, origin);
      if (inbound.length === 0) return results;
      const repeated = results.filter(({ kind }) => kind === 'repeated').length;
      log.tell('inbound-stored', { accountId: account.id, inbound: inbound.length, repeated });
      return results;
    },
  };
}

/** The characters of all texts in plain JSON. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, member) => sum + sizeOf(member), 0);
}

/** Splits the results by caller. */
function divide(items: readonly Item[], results: readonly StoredInbound[]): StoredInbound[][] {
  let start = 0;
  return items.map(({ inbound }) => results.slice(start, (start += inbound.length)));
}

/** The account as the intake takes it. `settings` are open. */
export function inboundAccount(
  {
    id,
    tenant_id: tenantId,
    channel,
    provider,
  }: Pick<AccountRow, 'id' | 'tenant_id' | 'channel' | 'provider'>,
  settings: unknown,
): ReceivingAccount {
  const keywords = keywordsOf(channel, settings);
  return { id, tenantId, channel, provider, keywords, origin: originOf(channel, settings) };
}

/** A consent that the provider reports, in the form in which it is stored. */
export function toConsent(
  account: InboundAccount,
  { recipient, optedOut }: Consent,
): NewlyReceived['consents'][number] {
  const status = optedOut ? 'opted-out' : 'opted-in';
  return { account, recipient, status, source: 'provider', messageId: null };
}
