import { type Claimed, takeSlots } from '@notify/db/dispatch';
import { failRemoved } from '@notify/db/messages';
import { reached } from '@notify/runtime';
import type { ClaimLimits, TurnWork } from '@notify/turns';
import { openConnection } from './connection.ts';
import type { DispatchDeps } from './deps.ts';
import { dispatch } from './dispatch.ts';
import { giveBack } from './give-back.ts';

const removedAtOnce = 500;

/** One turn of an account: claims messages that are due and sends them, with as many calls at once as its provider takes. */
export function dispatchWork(accountId: string, deps: DispatchDeps): TurnWork<Claimed> {
  return {
    maxInFlight: () => deps.slotsOf.get(accountId) ?? 1,
    claim: createClaims(accountId, deps),
    admit: (claims) => admit(claims, deps),
    finish: (claim, slot) =>
      dispatch(claim, slot, deps).catch((error: unknown) => {
        // Nothing of the attempt is recorded; its lease ends by itself, and that tells.
        deps.log.error({ err: error, messageId: claim.messageId }, 'attempt not settled');
      }),
    nothingDue: () => failWhatWasRemoved(accountId, deps),
  };
}

/** The claims of one turn. Each follows from the one before. */
function createClaims(accountId: string, deps: DispatchDeps): TurnWork<Claimed>['claim'] {
  let singlesSinceBulk = 0;
  return async ({ limit }: ClaimLimits) => {
    const claims = (await deps.claim(accountId, { limit, singlesSinceBulk })) ?? [];
    if (claims.length > 0) reached('dispatch-claimed');
    for (const { bulk } of claims) singlesSinceBulk = bulk ? 0 : Math.min(4, singlesSinceBulk + 1);
    const adapter = deps.adapters.get(claims[0]?.account.provider ?? '');
    if (adapter) deps.slotsOf.set(accountId, adapter.capabilities.maxInFlight);
    return claims;
  };
}

/** Leaves out, and gives back, what has to wait. Where that cannot be told, all is given back that was not yet called. */
async function admit(claims: readonly Claimed[], deps: DispatchDeps): Promise<readonly Claimed[]> {
  if (claims.length === 0) return claims;
  try {
    const inPace = await keepRecipientPace(claims, deps);
    return deps.admit === undefined ? inPace : await deps.admit(inPace);
  } catch (error) {
    await giveBack(
      claims.filter((claimed) => claimed.state === 'call'),
      deps,
    );
    throw error;
  }
}

/** Leaves out, and gives back, what would come too soon after another message to the same recipient. */
async function keepRecipientPace(
  claims: readonly Claimed[],
  deps: DispatchDeps,
): Promise<readonly Claimed[]> {
  const connection = openConnection(claims[0]!.account, deps);
  if (connection.kind === 'broken') return claims;
  const pace = connection.adapter.pace?.(connection.settings);
  if (pace?.recipientIntervalMs === undefined) return claims;
  return takeSlots(deps.db, claims, pace.recipientIntervalMs);
}

async function failWhatWasRemoved(accountId: string, deps: DispatchDeps): Promise<void> {
  for (;;) {
    const { count, webhooks } = await failRemoved(deps.db, accountId, removedAtOnce);
    if (count === 0) return;
    deps.wakeWebhooks(webhooks);
  }
}
