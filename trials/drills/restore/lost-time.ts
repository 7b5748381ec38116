import type { SmsEntry, LedgerEntry } from '@notify/testkit';
import type { Arrival } from '../../kit/load/arrivals.ts';
import type { Send } from '../../kit/load/client.ts';
import type { Evidence } from '../../kit/audit/evidence.ts';
import type { ReceivedEvent } from '../../kit/peers/receiver-main.ts';
import type { System } from '../../kit/system/system.ts';

/** What the providers and the receiver had at a moment. */
export interface Ledgers {
  /** How often a provider took a message, by message id. */
  readonly taken: ReadonlyMap<string, number>;
  /** Messages whose delivery a provider reported and we answered with 2xx. */
  readonly delivered: ReadonlySet<string>;
  /** Ids of the events that the receiver took. */
  readonly posted: ReadonlySet<string>;
  readonly posts: number;
}

/** The time between the restore point and the end of the old cluster. */
export interface LostTime {
  /** The restore point was made after this moment, by `performance.now()`. */
  readonly fromMs: number;
  /** What the others had before the restore point, and when the old cluster had ended. */
  readonly before: Ledgers;
  readonly atEnd: Ledgers;
}

/** What is lost by design, because it happened in the lost time. */
export interface Lost {
  /** Messages that were answered with 202 in the lost time. */
  readonly accepted: number;
  /** Of all messages without a row, those that a provider took in the lost time. */
  readonly sent: number;
  /** Messages that were sent in the lost time, and whose clients asked again and had them sent once more, unmarked. */
  readonly sentAgain: number;
  /** Messages that persons wrote and that were answered with 200 in the lost time. */
  readonly received: number;
  /** Delivery reports that were answered with 2xx in the lost time. */
  readonly reports: number;
  /** Events that the receiver got in the lost time, and that exist no more. */
  readonly events: number;
}

/**
 * Takes out of the evidence what the lost time alone explains, and counts it. All else is left to the audit: what was
 * answered before the restore point must be there. Pure.
 */
export function withoutLostTime(
  evidence: Evidence,
  sends: readonly Send[],
  arrivals: readonly Arrival[],
  { fromMs, before, atEnd }: LostTime,
): { readonly evidence: Evidence; readonly lost: Lost } {
  const rows = new Set(evidence.messages.map(({ id }) => id));
  const events = new Set(evidence.events.map(({ id }) => id));
  const inbound = new Set(evidence.inbound.map(({ key }) => key));
  const answeredAt = new Map(sends.flatMap((send) => [...send.answeredAt]));
  const isLostAnswer = (id: string): boolean => !rows.has(id) && (answeredAt.get(id) ?? 0) >= fromMs;
  const isLostArrival = ({ key, handedOverAt }: Arrival): boolean =>
    handedOverAt !== null && handedOverAt >= fromMs && !inbound.has(key);
  const lostArrivals = new Set(arrivals.filter(isLostArrival).map(({ key }) => key));
  const isLostSend = (id: string): boolean => !rows.has(id) && atEnd.taken.has(id);
  const isLostPost = (id: string): boolean => !events.has(id) && atEnd.posted.has(id);
  const isLostReport = (id: string): boolean => atEnd.delivered.has(id) && !before.delivered.has(id);

  const lostIds = sends.flatMap(({ ids }) => [...ids].filter(isLostAnswer));
  const lostSends = [...evidence.taken.keys()].filter(isLostSend);
  const lostPosts = evidence.received.filter(({ eventId }) => isLostPost(eventId));
  return {
    evidence: {
      ...evidence,
      claims: evidence.claims.map((claim) => ({
        ...claim,
        ids: claim.ids.filter((id) => !isLostAnswer(id)),
      })),
      arrivals: evidence.arrivals.map((one) => ({
        ...one,
        handedOver: one.handedOver && !lostArrivals.has(one.key),
      })),
      taken: new Map([...evidence.taken].filter(([id]) => !isLostSend(id))),
      received: evidence.received.filter(({ eventId }) => !isLostPost(eventId)),
      delivered: new Set([...evidence.delivered].filter((id) => !isLostReport(id))),
    },
    lost: {
      accepted: lostIds.length,
      sent: lostSends.length,
      sentAgain: sends.filter(({ ids }) => {
        const all = [...ids];
        return all.some((id) => isLostSend(id)) && all.some((id) => rows.has(id) && evidence.taken.has(id));
      }).length,
      received: lostArrivals.size,
      reports: [...evidence.delivered].filter(isLostReport).length,
      events: new Set(lostPosts.map(({ eventId }) => eventId)).size,
    },
  };
}

/** Twilio sends three reports for a delivered message. */
const twilioReports = 3;

/** What the providers and the receiver have now. */
export async function readLedgers({ gateway, twilio, receiver }: System<unknown>): Promise<Ledgers> {
  const [throughGateway, throughTwilio, posts] = await Promise.all([
    gateway.ledger<LedgerEntry>(),
    twilio.ledger<SmsEntry>(),
    receiver.ledger<ReceivedEvent>(),
  ]);
  const all = [
    ...throughGateway.map(({ id, taken, reported }) => ({ id, times: taken, isDelivered: reported > 0 })),
    ...throughTwilio.map(({ id, externalIds: { length: times }, reported }) => {
      return { id, times, isDelivered: times === 1 && reported === twilioReports };
    }),
  ];
  return {
    taken: new Map(all.flatMap(({ id, times }) => (times > 0 ? [[id, times] as const] : []))),
    delivered: new Set(all.flatMap(({ id, isDelivered }) => (isDelivered ? [id] : []))),
    posted: new Set(posts.map(({ eventId }) => eventId.slice(eventId.indexOf('_') + 1))),
    posts: posts.length,
  };
}
