import { state } from './state.ts';
import { partsOf, writeTraceparent } from './traceparent.ts';

/** Messages a second, per tenant and process, whose sender may decide that they are traced. */
const perSecond = 10;
/** How many of them may come at once. */
const burst = 50;
/** The most tenants that are kept. Whoever has a full budget need not be. */
const maxTenants = 10_000;

interface Budget {
  left: number;
  /** By `performance.now()`. */
  at: number;
}

/** What is left for the sampled flags of senders. */
export interface SenderBudget {
  /** Takes `count` messages. False, and takes nothing, if fewer are left. */
  take(tenantId: string, count: number, now?: number): boolean;
}

/** A budget for each tenant, so that none decides alone how much is traced. */
export function createSenderBudget(): SenderBudget {
  const budgets = new Map<string, Budget>();

  function leftAt({ left, at }: Budget, now: number): number {
    return Math.min(burst, left + ((now - at) * perSecond) / 1_000);
  }

  function forget(now: number): void {
    for (const [tenantId, budget] of budgets) if (leftAt(budget, now) >= burst) budgets.delete(tenantId);
  }

  return {
    take(tenantId, count, now = performance.now()) {
      const budget = budgets.get(tenantId);
      const left = budget === undefined ? burst : leftAt(budget, now);
      if (left < count) return false;
      if (budget === undefined && budgets.size >= maxTenants) {
        forget(now);
        if (budgets.size >= maxTenants) return false;
      }
      budgets.set(tenantId, { left: left - count, at: now });
      return true;
    },
  };
}

const ofProcess = createSenderBudget();

/**
 * The `traceparent` to store with `count` messages of a sender: its own, and sampled as it wishes while its tenant's budget lasts.
 * Beyond that, TRACE_RATIO decides for all of them at once.
 */
export function followed(
  traceparent: string,
  tenantId: string,
  count: number,
  budget: SenderBudget = ofProcess,
): string {
  const place = partsOf(traceparent);
  if (!place.sampled || budget.take(tenantId, count) || Math.random() < state.ratio) return traceparent;
  return writeTraceparent(place, false);
}
