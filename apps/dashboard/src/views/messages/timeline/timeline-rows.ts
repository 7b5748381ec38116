import type { Tone } from '../../../parts/status-badge.tsx';
import type { TimelineEntry } from './timeline-words.ts';

/** The delivery of an event to a webhook. */
export type DeliveryEntry = Extract<TimelineEntry, { kind: 'delivery' }>;

/** A row of the timeline: an entry, or the deliveries of one event to several webhooks. */
export type TimelineRow =
  | { readonly kind: 'entry'; readonly entry: TimelineEntry }
  | { readonly kind: 'deliveries'; readonly deliveries: readonly [DeliveryEntry, ...DeliveryEntry[]] };

/** Puts the deliveries of an event to several webhooks into one row, at the place of the first. */
export function rowsOf(entries: readonly TimelineEntry[]): readonly TimelineRow[] {
  const deliveries = entries.filter((entry) => entry.kind === 'delivery');
  const byEvent = Map.groupBy(deliveries, ({ eventId }) => eventId);
  return entries.flatMap((entry): TimelineRow[] => {
    if (entry.kind !== 'delivery') return [{ kind: 'entry', entry }];
    const all = byEvent.get(entry.eventId) ?? [];
    if (countWebhooks(all) < 2) return [{ kind: 'entry', entry }];
    const [first, ...others] = all;
    return first === entry ? [{ kind: 'deliveries', deliveries: [first, ...others] }] : [];
  });
}

function countWebhooks(deliveries: readonly DeliveryEntry[]): number {
  return new Set(deliveries.map(({ webhookId }) => webhookId)).size;
}

/** The deliveries of an event in one line: `message.sent: 3 of 5 webhooks have it`. */
export function deliveriesLine(deliveries: readonly [DeliveryEntry, ...DeliveryEntry[]]): {
  readonly tone: Tone;
  readonly what: string;
} {
  const all = countWebhooks(deliveries);
  const having = countWebhooks(deliveries.filter(({ state }) => state === 'delivered'));
  const some = having === all ? `all ${all}` : `${having} of ${all}`;
  const verb = having === 1 && all !== 1 ? 'has' : 'have';
  return {
    tone: toneOf(deliveries, having === all),
    what: `${deliveries[0].event}: ${some} webhooks ${verb} it`,
  };
}

function toneOf(deliveries: readonly DeliveryEntry[], isComplete: boolean): Tone {
  if (isComplete) return 'good';
  const isIn = (state: DeliveryEntry['state']): boolean => deliveries.some((one) => one.state === state);
  if (isIn('failed')) return 'bad';
  if (!isIn('waiting')) return 'idle';
  return deliveries.some(({ state, attempts }) => state === 'waiting' && attempts > 0)
    ? 'attention'
    : 'waiting';
}
