import type { MessageFacts } from '@notify/db/explanations';
import type { Explanation } from './explain.ts';
import type { Reason, StandingCode } from './reason.ts';

/** The tenant's part of an explanation. */
export interface Standing {
  readonly code: StandingCode;
  readonly text: string;
  readonly until: Date | null;
}

/** Why a message waits, for its tenant. Null for messages at their end and for those that people wrote. */
export function standingOf(
  { history: { message } }: MessageFacts,
  { reasons }: Explanation,
): Standing | null {
  const isOpen = message.received_at === null && (message.status === 'queued' || message.status === 'sent');
  return isOpen ? told(reasons[0]) : null;
}

/** Why a delivery waits, for its tenant. Null when it does not wait. */
export function standingOfDelivery(
  { deliveries }: MessageFacts,
  { deliveries: reasons }: Explanation,
  id: string,
): Standing | null {
  const waits = deliveries.some(({ delivery }) => delivery.id === id && delivery.state === 'waiting');
  const reason = waits ? reasons.get(id) : undefined;
  return reason === undefined ? null : told(reason);
}

function told({ code, text, until }: Reason): Standing {
  return { code, text, until };
}
