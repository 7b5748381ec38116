import { type Claimed, giveRecipientTimes } from '@notify/db/dispatch';
import { failRemoved } from '@notify/db/messages';
import { reached } from '@notify/runtime';
import { traces } from '@notify/telemetry';
import type { ClaimLimits, TurnWork } from '@notify/turns';
import { type Connection, openConnection } from './connection.ts';
import type { DispatchDeps } from './deps.ts';
import { countReached } from './message-metrics.ts';
import { dispatch } from './dispatch.ts';
import { giveBack } from './give-back.ts';
import { traceClaims } from './message-traces.ts';
import { keepQuietHours } from './quiet-hours.ts';

const removedAtOnce = 500;

/**
 * One turn of an account: claims due messages and sends them, with as many concurrent calls as its provider permits.
 */
export function dispatchWork(accountId: string, deps: DispatchDeps): TurnWork<Claimed> {
  return {
    maxInFlight: () => deps.maxInFlightOf.get(accountId) ?? 1,
    ...(deps.settle.whenRoom && { whenRoom: deps.settle.whenRoom }),
    claim: createClaims(accountId, deps),
    admit: (claims) => admit(claims, deps),
    finish: (claim, slot) =>
      dispatch(claim, slot, deps).catch((error: unknown) => {
        // The attempt's end is not recorded. Its lease will end, and a later claim takes the message over.
        deps.log.tell('attempt-not-settled', { err: error, messageId: claim.messageId });
      }),
    nothingDue: () => failWhatWasRemoved(accountId, deps),
  };
}

/** The claims of one turn. Each one continues from the one before. */
function createClaims(accountId: string, deps: DispatchDeps): TurnWork<Claimed>['claim'] {
  let singlesSinceBulk = 0;
  return async ({ limit }: ClaimLimits) => {
    const beganAt = performance.now();
    const claims = (await deps.claim(accountId, { limit, singlesSinceBulk })) ?? [];
    traceClaims(claims, beganAt);
    if (claims.length > 0) reached('dispatch-claimed');
    if (claims.length > 0 && deps.log.tells('messages-claimed'))
      deps.log.tell('messages-claimed', {
        accountId,
        messageIds: claims.map(({ messageId }) => messageId),
      });
    for (const { bulk } of claims) singlesSinceBulk = bulk ? 0 : Math.min(4, singlesSinceBulk + 1);
    const adapter = deps.adapters.get(claims[0]?.account.provider ?? '');
    if (adapter) deps.maxInFlightOf.set(accountId, adapter.capabilities.maxInFlight);
    return claims;
  };
}

/** Returns the claims that may go now and gives the others back. If the check fails, gives back all uncalled ones. */
async function admit(claims: readonly Claimed[], deps: DispatchDeps): Promise<readonly Claimed[]> {
  if (claims.length === 0) return claims;
  try {
    const connection = openConnection(claims[0]!.account, deps);
    const awake = await keepQuietHours(claims, connection, deps);
    const inPace = await keepRecipientPace(awake, connection, deps);
    return deps.admit === undefined ? inPace : await deps.admit(inPace);
  } catch (error) {
    await giveBack(
      claims.filter((claimed) => claimed.state === 'call'),
      deps,
    );
    throw error;
  }
}

/** Gives back messages that would follow another message to the same recipient too soon. Returns the others. */
async function keepRecipientPace(
  claims: readonly Claimed[],
  connection: Connection,
  deps: DispatchDeps,
): Promise<readonly Claimed[]> {
  if (claims.length === 0 || connection.kind === 'broken') return claims;
  const pace = connection.adapter.pace?.(connection.settings);
  if (pace?.recipientIntervalMs === undefined) return claims;
  return giveRecipientTimes(deps.db, claims, pace.recipientIntervalMs);
}

async function failWhatWasRemoved(accountId: string, deps: DispatchDeps): Promise<void> {
  for (;;) {
    const {
      count,
      webhooks,
      groups,
      reached: failed,
    } = await failRemoved(deps.db, accountId, removedAtOnce, traces.enabled);
    countReached(failed);
    if (count === 0) return;
    deps.wakeWebhooks(webhooks);
    deps.wakeGroups(groups);
  }
}
