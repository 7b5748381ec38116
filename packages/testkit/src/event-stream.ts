/** A server-sent stream as its reader sees it. One call at a time. */
export interface EventStream extends AsyncDisposable {
  readonly status: number;
  readonly headers: Headers;
  /** The next event that satisfies the condition, its data parsed. Rejects when the stream ends before. */
  next(isIt?: (event: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
  /** Resolves when the server has ended the stream, with the events that came until then. */
  ended(): Promise<Record<string, unknown>[]>;
  /** Resolves when a comment has come. */
  comment(): Promise<void>;
  /** Goes away. */
  close(): void;
}

/** Opens a stream with an access token, as `fetch` in a browser does. */
export async function openEventStream(url: string, accessToken: string): Promise<EventStream> {
  const left = new AbortController();
  const headers = { authorization: `Bearer ${accessToken}` };
  const response = await fetch(url, { headers, signal: left.signal });
  const blocks = blocksOf(response);
  return {
    status: response.status,
    headers: response.headers,
    async next(isIt = () => true) {
      for await (const block of blocks) {
        const event = eventOf(block);
        if (event !== null && isIt(event)) return event;
      }
      throw new Error('the stream has ended');
    },
    async ended() {
      const events: Record<string, unknown>[] = [];
      for await (const block of blocks) {
        const event = eventOf(block);
        if (event !== null) events.push(event);
      }
      return events;
    },
    async comment() {
      for await (const block of blocks) if (block.startsWith(':')) return;
      throw new Error('the stream has ended');
    },
    close: () => left.abort(),
    [Symbol.asyncDispose]: async () => left.abort(),
  };
}

function eventOf(block: string): Record<string, unknown> | null {
  const field = 'data: ';
  if (!block.startsWith(field)) return null;
  return JSON.parse(block.slice(field.length)) as Record<string, unknown>;
}

/** What stands between empty lines. It goes on where the reader before has stopped. */
function blocksOf(response: Response): AsyncIterable<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  async function next(): Promise<IteratorResult<string>> {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const value = text.slice(0, end);
        text = text.slice(end + 2);
        return { done: false, value };
      }
      const read = await reader?.read();
      if (read === undefined || read.done) return { done: true, value: undefined };
      text += read.value;
    }
  }
  return { [Symbol.asyncIterator]: () => ({ next }) };
}
