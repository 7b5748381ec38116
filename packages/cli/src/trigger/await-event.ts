import type { Notify, StreamedEvent, WebhookEvent } from '@notify/sdk';

/** The place in the list of events after everything that has happened so far. */
export async function presentCursor(notify: Notify, signal: AbortSignal): Promise<string> {
  const found = new AbortController();
  let cursor: string | null = null;
  const stream = notify.events.stream(
    {},
    {
      signal: AbortSignal.any([signal, found.signal]),
      onCursor(present) {
        cursor ??= present;
        found.abort();
      },
    },
  );
  for await (const event of stream) {
    cursor ??= event.cursor;
    break;
  }
  signal.throwIfAborted();
  if (cursor === null) throw new Error('the stream ended before it began');
  return cursor;
}

/** The first event after the cursor that satisfies the condition; null if none does within the signal's time. */
export async function awaitEvent(
  notify: Notify,
  cursor: string,
  isIt: (event: WebhookEvent) => boolean,
  signal: AbortSignal,
): Promise<StreamedEvent<WebhookEvent> | null> {
  for await (const streamed of notify.events.stream({ cursor }, { signal }))
    if (isIt(streamed.event)) return streamed;
  return null;
}
