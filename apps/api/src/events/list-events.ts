import { Events, EventsQuery, type ListedEvent } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { type EventFilter, type Look, type Place, readEvents, type Looker } from '@notify/db/events';
import type { Settings, Secrets } from '@notify/runtime';
import { defineRoute, NoBody, NoParams } from '../http/route.ts';
import { writeCursor } from './cursor.ts';
import { eventSecretOf } from './event-secret.ts';
import { listedDays, oldestPlace, placeAt, resume } from './place.ts';
import { signedEvent } from './signed-event.ts';

const defaultLimit = 50;
/** The bytes of bodies after which a page ends. */
const pageBytes = 4_000_000;
/** When to return the events found so far, in ms. One more statement may run then. */
const budgetMs = 1_000;

export const listEvents = defineRoute({
  operationId: 'events.list',
  method: 'get',
  path: '/v1/events',
  tag: 'Event list',
  summary: 'List events',
  description:
    'The events of the last 7 days, oldest first, as webhooks would get them, whether or not there is a webhook. The events of a message come in the order of `sequence`, events of different messages roughly in the order of their ids. A reader that continues with `nextCursor` skips nothing that was committed and gets nothing twice. After a 410, read the list without a cursor and skip the ids that you have. A page may be short or empty although `hasMore` is true.',
  credential: 'bearer',
  scope: 'events:read',
  params: NoParams,
  query: EventsQuery,
  body: NoBody,
  status: 200,
  response: Events,
  problems: ['invalid-request', 'cursor-expired'],
  async handle(
    {
      query: { cursor, limit = defaultLimit, channelAccountId: accountId, channel, tag },
      caller: { tenantId },
    },
    deps: {
      readonly dashboardDb: Db;
      readonly settings: Settings;
      readonly secrets: Secrets;
      readonly eventLooker: Looker;
    },
  ) {
    const days = listedDays(deps.settings.deliveryRetentionDays);
    const look = await deps.eventLooker.look();
    const begin = cursor === undefined ? oldestPlace(look, days) : resume(cursor, look, days);
    const secret = await eventSecretOf(tenantId, deps);
    const wanted = { tenantId, secret, limit, days, filter: { accountId, channel, tag } };
    const { data, place, hasMore } = await readPage(deps.dashboardDb, begin, look, wanted);
    return { data, nextCursor: writeCursor({ history: look.history, place }), hasMore };
  },
});

interface Wanted {
  readonly tenantId: string;
  readonly secret: string;
  readonly limit: number;
  readonly days: number;
  readonly filter: EventFilter;
}

/** Reads from pass to pass, up to the look. */
async function readPage(
  db: Db,
  begin: Place,
  look: Look,
  { tenantId, secret, limit, days, filter }: Wanted,
): Promise<{ data: ListedEvent[]; place: Place; hasMore: boolean }> {
  const data: ListedEvent[] = [];
  const endMs = performance.now() + budgetMs;
  let leftBytes = pageBytes;
  for (let place = placeAt(begin, look, days); ; place = placeAt(place, look, days)) {
    if (!('to' in place)) return { data, place, hasMore: false };
    const size = { limit: limit - data.length, maxBytes: leftBytes };
    const { events, next, at } = await readEvents(db, tenantId, place, size, filter);
    leftBytes -= events.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
    data.push(...events.map((event) => signedEvent(event, secret, at)));
    place = next ?? { from: place.to };
    const isEnd = !('to' in place) && place.from === look.snapshot;
    const isFull = data.length >= limit || leftBytes <= 0;
    if (isEnd || isFull || performance.now() >= endMs) return { data, place, hasMore: !isEnd };
  }
}
