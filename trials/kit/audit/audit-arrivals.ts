import {
  type ArrivalClaim,
  type EventRecord,
  type Evidence,
  type InboundRecord,
  isDelivered,
  type ReceivedRecord,
} from './evidence.ts';
import type { Finding, Verdict } from './finding.ts';

/**
 * A message that a person wrote, and whose callback we answered with 200, is one message and one event, and the event
 * reached the receiver. One whose callback was never answered may be there too, once.
 */
export function auditArrivals({ arrivals, inbound, events, received }: Evidence): Finding[] {
  const byKey = Map.groupBy(inbound, ({ key }) => key);
  const eventsOf = Map.groupBy(events, ({ messageId }) => messageId);
  const postsOf = Map.groupBy(received, ({ messageId }) => messageId);
  const keys = new Set(arrivals.map(({ key }) => key));
  const strangers = inbound.filter(({ key }) => !keys.has(key));
  return [
    ...arrivals.flatMap((arrival) => {
      const rows = byKey.get(arrival.key) ?? [];
      const own = rows.flatMap(({ id }) => eventsOf.get(id) ?? []);
      const posts = rows.flatMap(({ id }) => postsOf.get(id) ?? []);
      return [...violations(arrival, rows, own, posts)].map(([verdict, detail]) => {
        return { verdict, key: arrival.key, detail };
      });
    }),
    ...strangers.map(({ id, key }) => ({ verdict: 'wrong' as const, key, detail: `nobody wrote ${id}` })),
  ];
}

function* violations(
  { handedOver, wrong }: ArrivalClaim,
  rows: readonly InboundRecord[],
  events: readonly EventRecord[],
  posts: readonly ReceivedRecord[],
): Generator<readonly [Verdict, string]> {
  for (const answer of wrong) yield ['wrong', answer];
  const [row] = rows;
  if (row === undefined) {
    if (handedOver) yield ['lost', 'its callback was answered with 200, and there is no message'];
    return;
  }
  if (rows.length > 1) yield ['duplicated', `${rows.length} messages of one id of the provider`];
  const [event] = events;
  if (event === undefined) yield ['missing', `${row.id} has no event`];
  else if (events.length > 1 || event.kind !== 'received')
    yield ['wrong', `${row.id} has ${events.length} events, the first ${event.kind}`];
  else if (!posts.some((post) => isDelivered(event, post)))
    yield ['missing', `${row.id}: its event never reached the receiver`];
  for (const post of posts)
    if (event === undefined || !isDelivered(event, post))
      yield ['wrong', `${row.id}: posted ${post.kind} as ${post.eventId}, unsigned or no event of it`];
}
