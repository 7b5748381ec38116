import type { NotToldReason, Outcome, Told } from '@notify/core';

/** Why a person was not told, from the outcome that a message with the same answer would have. */
export function notTold({ kind }: Exclude<Outcome, { kind: 'accepted' }>): Told {
  const reasons: Readonly<Record<typeof kind, NotToldReason>> = {
    throttled: 'rate-limited',
    rejected: 'refused',
    'connection-broken': 'not-connected',
    retry: 'unavailable',
    unknown: 'unavailable',
  };
  return { delivered: false, reason: reasons[kind] };
}
