import type { MessageFacts } from '@notify/db/explanations';
import { explainDelivery } from './deliveries.ts';
import { explainHolds } from './holds.ts';
import { explainLease } from './lease.ts';
import { because, type Reason } from './reason.ts';
import { inBrackets } from './said.ts';
import { timeBeside } from './times.ts';
import { explainTurn } from './turn.ts';
import { explainWait } from './wait.ts';

/** Why a message stands where it stands. */
export interface Explanation {
  /** The main reason first. At least one. */
  readonly reasons: readonly [Reason, ...Reason[]];
  /** By the id of a delivery that has not arrived. */
  readonly deliveries: ReadonlyMap<string, Reason>;
}

/** Puts the facts of a message into words. Pure. */
export function explain(facts: MessageFacts): Explanation {
  return {
    reasons: reasonsOf(facts),
    deliveries: new Map(facts.deliveries.map((one) => [one.delivery.id, explainDelivery(one, facts)])),
  };
}

function reasonsOf(facts: MessageFacts): readonly [Reason, ...Reason[]] {
  const { history, now, due } = facts;
  const { message } = history;
  if (message.received_at !== null)
    return [
      because('received', 'A person wrote this message. It is stored, and its event is on its way.', {
        detail: `It was received ${timeBeside(message.received_at, now)}.`,
      }),
    ];
  switch (message.status) {
    case 'delivered':
      return [
        because('delivered', 'The provider reported that it was delivered.', {
          detail: `Reported ${timeBeside(message.delivered_at ?? message.updated_at, now)}.`,
        }),
      ];
    case 'sent':
      return [
        because('sent', arrived(message), {
          detail: `Accepted ${timeBeside(message.sent_at ?? message.updated_at, now)}${acceptedAt(facts)}`,
        }),
      ];
    case 'failed':
      return [
        because('failed', `It failed: ${message.error_code ?? 'no error code'}.`, {
          detail: `It failed ${timeBeside(message.failed_at ?? message.updated_at, now)}.${lastAnswer(facts)}`,
        }),
      ];
    case 'queued':
      break;
  }
  if (due === null)
    return [
      because('not-waiting', 'It is not queued for sending, and its outcome is not stored yet.', {
        detail: 'It may have been settled by a receipt that is being applied. Ask again in a moment.',
      }),
    ];
  const reasons = [
    ...explainLease(due, facts),
    ...explainHolds(due, facts),
    ...explainWait(due, facts),
    ...explainTurn(due, facts),
  ];
  const [first, ...others] = reasons;
  return [first ?? because('due', 'It is due, and will be sent in a moment.'), ...others];
}

/** Which receipts have arrived for a message that is not delivered as a whole. */
function arrived({
  parts,
  delivered_parts: delivered,
}: Pick<MessageFacts['history']['message'], 'parts' | 'delivered_parts'>): string {
  if (delivered.length === 0) return 'The provider accepted it; no delivery receipt yet.';
  return `The provider accepted it. ${delivered.length} of ${parts} parts are delivered.`;
}

/** Only the provider's code: its words may repeat the recipient or the text. */
function lastAnswer({ history: { attempts } }: MessageFacts): string {
  const last = attempts.at(-1);
  if (last === undefined) return ' No attempt was made.';
  return ` Attempt ${last.number}: ${last.outcome}${inBrackets(last.providerCode)}.`;
}

/** Which attempt the provider accepted. A receipt may tell of one whose answer never came. */
function acceptedAt(facts: MessageFacts): string {
  const last = facts.history.attempts.at(-1);
  return last?.outcome === 'accepted' ? ` on attempt ${last.number}.` : `.${lastAnswer(facts)}`;
}
