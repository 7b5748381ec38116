import type { TenantShares } from '@notify/db/tenants';

/** The slots of a process for accounts of one provider, which tenants share. */
export interface TenantSlots {
  readonly free: number;
  /** Whether some tenant cannot get another slot. */
  isFullForAny(): boolean;
  /**
   * The tenants whose accounts should give their slots back while accounts of the tenants in `waiting` are due: to another
   * account of the same tenant, or because the tenant holds more than it would if all had the same.
   */
  thatYieldTo(waiting: ReadonlySet<string>): Set<string>;
  /** What the next claim has to know. */
  shares(): TenantShares;
  take(tenantId: string): void;
  giveBack(tenantId: string): void;
}

/** The most tenants without a slot whose last turn is known. */
const maxIdle = 200;

/** Slots of which a tenth, at least one, is kept from each tenant for the others. One slot alone is for all. */
export function createTenantSlots(total: number): TenantSlots {
  const perTenant = Math.max(1, total - Math.max(1, Math.floor(total / 10)));
  const held = new Map<string, number>();
  /** The least recently served first. */
  const served = new Map<string, number>();
  let taken = 0;
  let turns = 0;

  const heldBy = (tenantId: string): number => held.get(tenantId) ?? 0;
  const isFullFor = (tenantId: string): boolean => taken >= total || heldBy(tenantId) >= perTenant;

  function forgetIdle(): void {
    if (served.size - held.size <= maxIdle) return;
    const oldest = served.keys().find((tenantId) => !held.has(tenantId));
    if (oldest !== undefined) served.delete(oldest);
  }

  return {
    get free() {
      return total - taken;
    },
    isFullForAny: () => held.keys().some(isFullFor),
    thatYieldTo(waiting) {
      const share = total / new Set([...held.keys(), ...waiting]).size;
      const isCrowded = waiting.size > 0 && taken >= total;
      const mustYield = (tenantId: string): boolean =>
        waiting.has(tenantId) ? isFullFor(tenantId) : isCrowded && heldBy(tenantId) > share;
      return new Set(held.keys().filter(mustYield));
    },
    shares: () => ({
      perTenant,
      tenants: [...served].map(([tenantId, servedAt]) => ({ tenantId, held: heldBy(tenantId), servedAt })),
    }),
    take(tenantId) {
      taken += 1;
      held.set(tenantId, heldBy(tenantId) + 1);
      served.delete(tenantId);
      served.set(tenantId, (turns += 1));
      forgetIdle();
    },
    giveBack(tenantId) {
      taken -= 1;
      const left = heldBy(tenantId) - 1;
      if (left === 0) held.delete(tenantId);
      else held.set(tenantId, left);
    },
  };
}
