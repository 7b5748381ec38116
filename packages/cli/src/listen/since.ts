import type { Entry, ListenedEvent } from './entry.ts';

/** A page of the list of events. */
interface Page {
  readonly data: readonly { readonly headers: Readonly<Record<string, string>>; readonly body: string }[];
  readonly nextCursor: string;
  readonly hasMore: boolean;
}

/** Reads one page of the list of events, oldest first. */
export type ListPage = (query: { readonly limit: number; readonly cursor?: string }) => PromiseLike<Page>;

/** Where forwarding begins. */
export interface Beginning {
  /** The events of the page in which the time lies. The last one has the position after the page. */
  readonly entries: readonly Entry[];
  /** Where the stream continues. */
  readonly cursor: string;
}

/**
 * Looks for the first event since a time. The list begins 7 days ago and has no other index, so this reads all the pages
 * before that time.
 */
export async function findSince(since: string, list: ListPage): Promise<Beginning> {
  for (let cursor: string | undefined; ;) {
    const page = await list({ limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    const events = page.data.map(({ headers, body }) => ({
      cursor: null,
      headers,
      body,
      event: JSON.parse(body) as ListenedEvent,
    }));
    cursor = page.nextCursor;
    const wanted = events.filter(({ event }) => isSince(event, since));
    if (wanted.length > 0 || !page.hasMore)
      return {
        entries: wanted.map((entry, index) => (index < wanted.length - 1 ? entry : { ...entry, cursor })),
        cursor,
      };
  }
}

/** Events are listed roughly by time, so an older one can come after the first that is wanted. */
export function isSince({ occurredAt }: ListenedEvent, since: string): boolean {
  return Date.parse(occurredAt) >= Date.parse(since);
}
