import { randomUUID } from 'node:crypto';
import type { Adapter } from '@notify/channels';
import type { Db } from '@notify/db/connection';
import { adoptAccounts, claimSyncs, failSync, storeTemplates, type SyncClaim } from '@notify/db/templates';
import { every } from '@notify/runtime';
import { readDeadlineMs, readTemplates, type ReadTemplatesDeps } from './read-templates.ts';
import { createTenantSlots } from './tenant-slots.ts';

export interface TemplateSyncDeps extends ReadTemplatesDeps {
  readonly db: Db;
  readonly adapters: ReadonlyMap<string, Adapter>;
}

/** How often a process looks for accounts that are due, in ms. */
const lookMs = 2_000;
/** Accounts of one provider that a process reads at once. */
const slotsOfProvider = 4;
/** Reading and storing take less. After this, in ms, another process may claim the account. */
const leaseMs = 2 * readDeadlineMs;
const adoptMs = 60_000;
const adoptedAtOnce = 1_000;

/**
 * Keeps the stored templates of accounts up to date: reads those that are due from their providers. Postgres says which
 * ones are, so any number of processes share the work, and none is lost with a process. Each provider has slots of its
 * own, so one that hangs does not hold up the others. Tenants have them in turn, and one is kept from each for the others.
 */
export function startTemplateSync(deps: TemplateSyncDeps): { close(): Promise<void> } {
  const adapters = [...deps.adapters.values()].filter((one) => one.listTemplates !== undefined);
  const providers = adapters.map(({ id }) => id);
  const adopting = every(
    'adopt-accounts-for-templates',
    adoptMs,
    async () => void (await adoptAccounts(deps.db, providers, adoptedAtOnce)),
    deps.log,
  );
  const syncs = adapters.map((adapter) => startProviderSync(adapter, deps));
  return {
    async close() {
      await Promise.all([adopting.close(), ...syncs.map((one) => one.close())]);
    },
  };
}

function startProviderSync(adapter: Adapter, deps: TemplateSyncDeps): { close(): Promise<void> } {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const slots = createTenantSlots(slotsOfProvider);
  let looked = Promise.resolve();

  /** Fills the free slots. One look follows the other, because each has to know what the others claimed. */
  function look(): Promise<void> {
    looked = looked.catch(() => undefined).then(fill);
    return looked;
  }

  async function fill(): Promise<void> {
    const limit = slots.free;
    if (limit === 0 || stopping.signal.aborted) return;
    // A separate holder: a reading that began before must not end these claims.
    const holder = randomUUID();
    const claims = await claimSyncs(deps.db, adapter.id, holder, { limit, leaseMs }, slots.shares());
    for (const claim of claims) start(claim);
  }

  function start(claim: SyncClaim): void {
    slots.take(claim.tenantId);
    const ends = work(claim).finally(() => running.delete(ends));
    running.add(ends);
  }

  /** Synchronises one account. The next one follows at once. */
  async function work(claim: SyncClaim): Promise<void> {
    try {
      await sync(adapter, claim, stopping.signal, deps).finally(() => slots.giveBack(claim.tenantId));
      await look();
    } catch (error) {
      const { accountId } = claim;
      deps.log.tell('templates-failed', { err: error, provider: adapter.id, accountId });
    }
  }

  const looking = every('look-for-templates-to-read', lookMs, look, deps.log);
  return {
    async close() {
      stopping.abort();
      await looking.close();
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** Reads the templates of one account and stores them, or stores why that failed. */
async function sync(
  adapter: Adapter,
  claim: SyncClaim,
  stopping: AbortSignal,
  deps: TemplateSyncDeps,
): Promise<void> {
  const { accountId } = claim;
  const beganAt = performance.now();
  const read = await readTemplates(adapter, claim, stopping, deps);
  // Its lease ends, and another process reads them.
  if (stopping.aborted) return;
  const stored = read.ok && (await storeTemplates(deps.db, claim, read.templates));
  if (!read.ok) await failSync(deps.db, claim, read.failure);
  const result = read.ok ? { templates: read.templates.length, stored } : { detail: read.failure };
  const durationMs = Math.round(performance.now() - beganAt);
  deps.log.tell('templates-read', { provider: adapter.id, accountId, durationMs, ...result });
}
