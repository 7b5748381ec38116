import type { Notify } from '@notify/sdk';

/** The timeline of a message, as the SDK returns it. */
export type Timeline = Awaited<ReturnType<Notify['tenantMessages']['get']>>['timeline'];
type Entry = Timeline[number];
type Delivery = Extract<Entry, { kind: 'delivery' }>;

/** A line of a timeline. */
export interface TimelineRow {
  /** When it happened, as ISO 8601. */
  readonly at: string;
  readonly what: string;
  readonly result: string | null;
}

/**
 * The rows of a timeline. What became of an event at the webhooks is one result, in the row of the event. With `deliveries`
 * each delivery has its own row instead, with the URL of its webhook.
 */
export function timelineRows(timeline: Timeline, deliveries: boolean): TimelineRow[] {
  const shownAs = deliveries ? () => null : deliveryResults(timeline);
  return timeline.flatMap((entry) => {
    const told = shownAs(entry);
    if (entry.kind === 'delivery' && !deliveries && told === null) return [];
    return [{ at: entry.at, what: whatOf(entry), result: told ?? resultOf(entry) }];
  });
}

/**
 * What the row of an entry says of the webhooks: the row of the event if the timeline has one, else that of its first
 * delivery, because an event is deleted before the message. Null for all other entries.
 */
function deliveryResults(timeline: Timeline): (entry: Entry) => string | null {
  const byEvent = new Map<string, Delivery[]>();
  for (const entry of timeline)
    if (entry.kind === 'delivery') byEvent.set(entry.eventId, [...(byEvent.get(entry.eventId) ?? []), entry]);
  const events = new Set(timeline.flatMap((entry) => (entry.kind === 'event' ? [entry.eventId] : [])));
  return (entry) => {
    if (entry.kind !== 'event' && entry.kind !== 'delivery') return null;
    const all = byEvent.get(entry.eventId ?? '') ?? [];
    if (all.length === 0) return null;
    if (entry.kind === 'delivery' && (events.has(entry.eventId) || all[0] !== entry)) return null;
    return webhooksText(all);
  };
}

/** `3 of 5 webhooks have it (1 pending, 1 failed)`; of a single webhook, what its endpoint answered. */
function webhooksText(all: readonly Delivery[]): string {
  const deliveries = onePerWebhook(all);
  const [only] = deliveries;
  if (only !== undefined && deliveries.length === 1) return `webhook: ${deliveryText(only)}`;
  const arrived = deliveries.filter(({ state }) => state === 'delivered').length;
  const others = [...new Set(deliveries.map(({ state }) => state))]
    .filter((state) => state !== 'delivered')
    .map((state) => `${deliveries.filter((one) => one.state === state).length} ${state}`);
  const rest = others.length === 0 ? '' : ` (${others.join(', ')})`;
  return `${arrived} of ${deliveries.length} webhooks ${arrived === 1 ? 'has' : 'have'} it${rest}`;
}

/** Each webhook's last delivery, or one that arrived: a retry is its own delivery. */
function onePerWebhook(deliveries: readonly Delivery[]): readonly Delivery[] {
  const byWebhook = new Map<string, Delivery>();
  for (const one of deliveries)
    if (byWebhook.get(one.webhookId)?.state !== 'delivered') byWebhook.set(one.webhookId, one);
  return [...byWebhook.values()];
}

function whatOf(entry: Entry): string {
  switch (entry.kind) {
    case 'event':
      return entry.event;
    case 'attempt':
      return `attempt ${entry.number}${entry.part > 0 ? ` of part ${entry.part + 1}` : ''}`;
    case 'receipt':
      return 'delivery receipt';
    case 'delivery':
      return `webhook ${entry.event}`;
  }
}

function resultOf(entry: Entry): string | null {
  switch (entry.kind) {
    case 'event':
      return null;
    case 'attempt':
      return worded(entry.outcome ?? 'in progress', entry.providerCode, entry.text);
    case 'receipt':
      return worded(entry.status, entry.providerCode, entry.text);
    case 'delivery':
      return deliveryText(entry);
  }
}

function deliveryText({ state, lastAttempt, url }: Delivery): string {
  return worded(state, lastAttempt?.status ?? lastAttempt?.error, url);
}

function worded(...words: (string | number | null | undefined)[]): string {
  return words.filter((word) => word !== null && word !== undefined && word !== '').join(' ');
}
