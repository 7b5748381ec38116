import { EventStreamQuery, ListedEvent } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import type { Looker } from '@notify/db/events';
import type { Settings, Secrets } from '@notify/runtime';
import { type Identified, identified, ResumableStream } from '../http/event-stream.ts';
import { defineRoute, NoBody, NoParams } from '../http/route.ts';
import { writeCursor } from './cursor.ts';
import { eventSecretOf } from './event-secret.ts';
import { type EventStreams, maxEventStreams, type StreamedEvent, streamedEvents } from './event-streams.ts';
import { listedDays, placeAt, resume } from './place.ts';
import { signedEvent } from './signed-event.ts';

const header = 'last-event-id';

export const streamEvents = defineRoute({
  operationId: 'events.stream',
  method: 'get',
  path: '/v1/events/stream',
  tag: 'Event list',
  summary: 'Stream events',
  description: `The events as a stream of server-sent events, within a second of their commit. The \`id\` of each is the cursor after it: to continue after a disconnect, send the last one as the header \`Last-Event-ID\` or as \`cursor\`. Blocks with an \`id\` alone come at the beginning and every minute. Read the stream with \`fetch\`, because it needs the Authorization header. It ends when the access token expires or the session ends; with a service token, within 10 seconds of its end. A tenant can have ${maxEventStreams} open streams.`,
  credential: 'bearer',
  scope: 'events:read',
  params: NoParams,
  query: EventStreamQuery,
  body: NoBody,
  status: 200,
  response: ResumableStream(ListedEvent),
  problems: ['invalid-request', 'cursor-expired', 'limit-reached'],
  async handle(
    { query, caller: { tenantId, bearerId, isToken, expiresAt }, request },
    deps: {
      readonly dashboardDb: Db;
      readonly settings: Settings;
      readonly secrets: Secrets;
      readonly eventLooker: Looker;
      readonly eventStreams: EventStreams;
    },
  ) {
    const days = listedDays(deps.settings.deliveryRetentionDays);
    const look = await deps.eventLooker.look();
    const last = request.headers[header];
    const cursor = typeof last === 'string' && last !== '' ? last : query.cursor;
    const at = cursor === query.cursor ? 'query/cursor' : `header/${header}`;
    const begin = cursor === undefined ? { from: look.snapshot } : resume(cursor, look, days, at);
    const secret = await eventSecretOf(tenantId, deps);
    const end = { at: expiresAt, signal: request.gone() };
    const streamed = streamedEvents(deps.eventStreams, { tenantId, bearerId, isToken }, end, {
      place: placeAt(begin, look, days),
      history: look.history,
      filter: { accountId: query.channelAccountId, channel: query.channel, tag: query.tag },
    });
    return signedEvents(streamed, look.history, secret);
  },
});

async function* signedEvents(
  streamed: AsyncIterable<StreamedEvent>,
  history: string,
  secret: string,
): AsyncIterable<Identified<ListedEvent>> {
  for await (const { place, event, at } of streamed)
    yield identified(writeCursor({ history, place }), event === null ? null : signedEvent(event, secret, at));
}
