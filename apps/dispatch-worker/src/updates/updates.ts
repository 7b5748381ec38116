import { randomUUID } from 'node:crypto';
import type { Adapter } from '@notify/channels';
import { isDatabaseAway } from '@notify/db/connection';
import {
  adoptSources,
  makeSourcesOfOtherUrlDue,
  claimSources,
  forgetSource,
  releaseSource,
  tenantsOfDueSources,
  type UpdateClaim,
} from '@notify/db/updates';
import { every } from '@notify/runtime';
import { createTenantSlots } from '../tenant-slots.ts';
import { keepClaim } from './keep-claim.ts';
import { decide } from './decide-mode.ts';
import type { SourceDeps, UpdatesDeps, UpdatingAdapter } from './deps.ts';
import { openSource } from './open.ts';
import { poll } from './poll.ts';

/** The most accounts of one provider that a process asks for updates at once, each by one connection. */
export const sourceSlots = 200;
/** How often a process looks for accounts that are due, in ms. */
const lookMs = 2_000;
/** Accounts that one look claims, so that a new process does not take all of them from the others. */
const claimsAtOnce = 20;
/** After this, in ms, another process may go on where one has died. */
const defaultLeaseMs = 15_000;
const adoptMs = 60_000;
const adoptedAtOnce = 1_000;
/** The wait after an unexpected failure, in ms, and after one of the database. */
const failureMs = 60_000;
const databaseAwayMs = 1_000;

/**
 * Has providers post the updates of accounts to the api, or reads them, where they cannot be posted. Postgres says which
 * accounts are due and who holds each, so any number of processes share them, and one reader at a time asks for an account.
 * Tenants share the slots of a process: while accounts wait, those of tenants with more than their share give way.
 */
export function startUpdates(
  deps: UpdatesDeps,
  { slots = sourceSlots, leaseMs = defaultLeaseMs }: Partial<SourceLimits> = {},
): { close(): Promise<void> } {
  const adapters = [...deps.adapters.values()].filter(isUpdating);
  const providers = adapters.map(({ id }) => id);
  const adopting = every(
    'adopt-accounts-that-poll',
    adoptMs,
    async () => void (await adoptSources(deps.db, providers, adoptedAtOnce)),
    deps.log,
  );
  const sources = adapters.map((adapter) => startSources(adapter, { slots, leaseMs }, deps));
  return {
    async close() {
      await Promise.all([adopting.close(), ...sources.map((one) => one.close())]);
    },
  };
}

function isUpdating(adapter: Adapter): adapter is UpdatingAdapter {
  return adapter.updates !== undefined;
}

/** How many accounts a process works on at once, and for how long a claim lasts. */
export interface SourceLimits {
  readonly slots: number;
  readonly leaseMs: number;
}

/** The accounts of one provider. */
function startSources(
  adapter: UpdatingAdapter,
  { slots: total, leaseMs }: SourceLimits,
  deps: UpdatesDeps,
): { close(): Promise<void> } {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const slots = createTenantSlots(total);
  /** The tenants whose accounts give their slots to others that wait. */
  let yielding: ReadonlySet<string> = new Set();
  let urlChecked = false;

  async function look(): Promise<void> {
    if (!urlChecked) await makeSourcesOfOtherUrlDue(deps.db, adapter.id, deps.publicUrl);
    urlChecked = true;
    const limit = Math.min(claimsAtOnce, slots.free);
    if (limit > 0 && !stopping.signal.aborted) {
      const limits = { limit, leaseMs };
      for (const claim of await claimSources(deps.db, adapter.id, randomUUID(), limits, slots.shares()))
        start(claim);
    }
    const waiting = slots.isFullForAny() ? await tenantsOfDueSources(deps.db, adapter.id) : new Set<string>();
    yielding = slots.thatYieldTo(waiting);
  }

  function start(claim: UpdateClaim): void {
    slots.take(claim.tenantId);
    const work = workOn(adapter, claim, {
      ...deps,
      leaseMs,
      stopping: stopping.signal,
      isCrowded: () => yielding.has(claim.tenantId),
    });
    const ends = work.finally(() => {
      slots.giveBack(claim.tenantId);
      running.delete(ends);
    });
    running.add(ends);
  }

  const looking = every('look-for-accounts-that-poll', lookMs, look, deps.log);
  return {
    async close() {
      stopping.abort();
      await looking.close();
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** Decides how the updates of one account arrive, and reads them if nobody posts them. Never throws. */
async function workOn(adapter: UpdatingAdapter, claim: UpdateClaim, deps: SourceDeps): Promise<void> {
  const held = keepClaim(claim, deps);
  const { accountId } = claim;
  try {
    const source = openSource(adapter, claim, held, deps);
    const decided = await decide(source, deps);
    const release = decided.mode === 'poll' ? await poll(source, decided.detail, deps) : decided;
    if (claim.isRemoved && release.mode === 'off') return await forgetSource(deps.db, claim);
    await releaseSource(deps.db, claim, release);
    if (release.mode !== claim.mode || release.detail !== claim.detail) {
      const { mode, detail } = release;
      deps.log.tell('updates-mode', { provider: adapter.id, accountId, mode, detail });
    }
  } catch (error) {
    deps.log.tell('updates-failed', { err: error, provider: adapter.id, accountId });
    const { mode, url, detail } = claim;
    const afterMs = isDatabaseAway(error) ? databaseAwayMs : failureMs;
    await releaseSource(deps.db, claim, { mode, url, detail, afterMs }).catch(() => undefined);
  } finally {
    await held.close();
  }
}
