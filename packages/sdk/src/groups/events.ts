import type { CallOptions } from '../config.ts';
import type { Events, EventsSecret } from '../schema.ts';
import { type EventStreamOptions, type StreamedEvent, streamEvents } from '../streams/event-stream.ts';
import type { Pages } from '../transport/pages.ts';
import type { Query, Transport } from '../transport/transport.ts';
import type { WebhookEvent } from '../webhook-signature.ts';

/** The events of the last 7 days, as webhooks would get them. Scope `events:read`. */
export class EventList {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Events, oldest first. Iterating ends at the newest; the last page's `nextCursor` continues later. */
  list(query: Query<'events.list'> = {}, options?: CallOptions): Pages<Events> {
    return this.#transport.pages('events.list', { query }, options);
  }

  /**
   * Events as they happen, forever: after `cursor`, or from now on. Of these only those that match `channelAccountId`, `channel` and
   * `tag`, as far as they are given. Reconnects by itself and continues after the last event, so it skips none. Reads at the pace of
   * the loop. Ends with `signal`; throws an `ApiError` when reconnecting cannot help, such as `cursor-expired` or a token that has
   * expired.
   *
   *     for await (const { event, cursor } of notify.events.stream({ cursor: saved })) …
   */
  stream(
    { cursor, ...query }: Query<'events.stream'> = {},
    options: EventStreamOptions = {},
  ): AsyncGenerator<StreamedEvent<WebhookEvent>, void, undefined> {
    return streamEvents(
      (after, signal) =>
        this.#transport.open(
          'events.stream',
          { query },
          {
            signal,
            maxRetries: 0,
            headers: {
              accept: 'text/event-stream',
              ...(after === null ? {} : { 'last-event-id': after }),
            },
          },
        ),
      cursor ?? null,
      options,
    );
  }

  /** The secret that signs the list and the stream. */
  getSecret(options?: CallOptions): Promise<EventsSecret> {
    return this.#transport.call('events.getSecret', {}, options);
  }
}
