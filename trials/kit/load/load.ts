import { setTimeout as wait } from 'node:timers/promises';
import type { Dice } from '../dice.ts';
import { type Send, sendUntilAnswered } from './client.ts';
import type { ChaosTenant } from '../system/tenants.ts';

export interface Load {
  /** Messages begun so far. */
  readonly begun: number;
  /** Stops the load. Resolves when all messages were answered, or their clients have given up. */
  stop(): Promise<readonly Send[]>;
}

export interface LoadOptions {
  readonly tenants: readonly ChaosTenant[];
  readonly apiUrls: readonly string[];
  readonly messagesPerSecond: number;
  /**
   * After so many messages the load falls to a tenth of the rate, so that a long fault meets messages but no flood
   * of them.
   */
  readonly messagesAtRate: number;
  /**
   * Whether some messages leave at a chosen time. Default true. That time passes in an outage that takes longer, and versions
   * before scheduling refuse it.
   */
  readonly schedules?: boolean;
  /** Whether some messages have tags and metadata. Default true. Versions before them refuse both. */
  readonly labels?: boolean;
  /** Prefix of the key of every message. */
  readonly prefix: string;
  readonly dice: Dice;
  /** Hears how long each call took, in ms, from its first try to its answer. */
  readonly onAnswered?: (tookMs: number) => void;
}

const tickMs = 50;
/** Calls in flight at most; while nothing is answered, no more begin. */
const mostInFlight = 150;
const bulkSize = 10;
/**
 * Shares of the calls: bulk calls, calls to both apis at once, calls repeated after the answer, undeliverable
 * recipients, messages for later, and messages with tags.
 */
const shares = { bulk: 0.02, raced: 0.03, repeated: 0.05, undeliverable: 0.02, scheduled: 0.1, tagged: 0.2 };
/** How far ahead messages are scheduled, in ms. */
const aheadMs = [500, 10_000] as const;

/** Begins messages at a fixed rate, as many independent clients do. */
export function startLoad(options: LoadOptions): Load {
  const sends: Send[] = [];
  const inFlight = new Set<Promise<void>>();
  const stopped = new AbortController();

  /** Begins one call and returns its number of messages. */
  function begin(): number {
    const { dice } = options;
    const tenant = dice.pick(options.tenants);
    const count = dice.chance(shares.bulk) ? bulkSize : 1;
    const batch = Array.from({ length: count }, () => {
      const send = newSend(`${options.prefix}-${sends.length + 1}`, tenant, options);
      sends.push(send);
      return send;
    });
    const done = deliver(batch, options).finally(() => inFlight.delete(done));
    inFlight.add(done);
    return count;
  }

  async function run(): Promise<void> {
    let due = 0;
    for (let lookedAt = performance.now(); !stopped.signal.aborted;) {
      const now = performance.now();
      const share = sends.length < options.messagesAtRate ? 1 : 0.1;
      due += (share * options.messagesPerSecond * (now - lookedAt)) / 1_000;
      lookedAt = now;
      while (due >= 1 && inFlight.size < mostInFlight) due -= begin();
      await wait(tickMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    get begun() {
      return sends.length;
    },
    async stop() {
      stopped.abort();
      await running;
      await Promise.all(inFlight);
      return sends;
    },
  };
}

function newSend(key: string, tenant: ChaosTenant, options: LoadOptions): Send {
  const { dice, schedules = true, labels = true } = options;
  const undeliverable = tenant.knowsUndeliverable && dice.chance(shares.undeliverable);
  const subscriber = String(dice.between(0, 99)).padStart(2, '0');
  const ending = undeliverable ? '30003' : `1${String(dice.between(0, 9_999)).padStart(4, '0')}`;
  const sendAt =
    schedules && dice.chance(shares.scheduled)
      ? new Date(Date.now() + dice.between(...aheadMs)).toISOString()
      : null;
  const tags = labels && dice.chance(shares.tagged) ? ['chaos', `n${dice.between(0, 9)}`] : [];
  return {
    key,
    tenant,
    to: `+1555${subscriber}${ending}`,
    undeliverable,
    sendAt,
    tags,
    ids: new Set(),
    answeredAt: new Map(),
    wrong: [],
  };
}

/** Some clients are impatient and ask both apis at once; some forget the answer and ask again. All use the same key. */
async function deliver(batch: readonly Send[], { apiUrls, dice, onAnswered }: LoadOptions): Promise<void> {
  const first = dice.between(0, apiUrls.length - 1);
  const urls = [...apiUrls.slice(first), ...apiUrls.slice(0, first)];
  const others = urls.toReversed();
  const raced = dice.chance(shares.raced);
  const repeated = dice.chance(shares.repeated);
  const began = performance.now();
  const answered = sendUntilAnswered(batch, urls).then(() => onAnswered?.(performance.now() - began));
  await Promise.all([answered, ...(raced ? [sendUntilAnswered(batch, others)] : [])]);
  if (repeated) await sendUntilAnswered(batch, others);
}
