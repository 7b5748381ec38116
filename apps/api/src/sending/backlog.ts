/** Keeps tenants below their limit of waiting messages without a count for every request. */
export interface Backlog {
  /** Whether `count` more messages of the tenant may wait. If so, they count from now on. */
  admits(tenantId: string, count: number): Promise<boolean>;
}

interface Known {
  waiting: number;
  acceptedSince: number;
  countedAt: number;
}

const staleMs = 5_000;
const maxTenants = 10_000;

/**
 * `countWaiting` counts a tenant's waiting messages, up to a bound. The count is repeated after 5 s, and as soon as
 * this process has accepted a quarter of the free room, so near the limit every request is counted. Between counts,
 * processes do not know of each other. So n processes may overshoot by n − 1 quarters of the room that was free at the
 * last count, and by the messages that arrived during it.
 */
export function createBacklog(
  limit: number,
  countWaiting: (tenantId: string, atMost: number) => Promise<number>,
): Backlog {
  const tenants = new Map<string, Known>();
  const counting = new Map<string, Promise<Known>>();

  async function count(tenantId: string): Promise<Known> {
    const waiting = await countWaiting(tenantId, limit + 1);
    const known = { waiting, acceptedSince: 0, countedAt: performance.now() };
    if (tenants.size >= maxTenants) tenants.clear();
    tenants.set(tenantId, known);
    return known;
  }

  /** Shares a count that is under way, so that a tenant uses one connection however much it sends at once. */
  function countOnce(tenantId: string): Promise<Known> {
    const under = counting.get(tenantId) ?? count(tenantId).finally(() => counting.delete(tenantId));
    counting.set(tenantId, under);
    return under;
  }

  function isTelling(known: Known | undefined, more: number): known is Known {
    if (known === undefined || performance.now() - known.countedAt > staleMs) return false;
    return known.acceptedSince + more <= (limit - known.waiting) / 4;
  }

  return {
    async admits(tenantId, more) {
      const remembered = tenants.get(tenantId);
      const known = isTelling(remembered, more) ? remembered : await countOnce(tenantId);
      if (known.waiting + known.acceptedSince + more > limit) return false;
      known.acceptedSince += more;
      return true;
    },
  };
}
