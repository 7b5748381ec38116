/** A stream of server-sent events as its reader sees it. One call at a time. */
export interface EventStream extends AsyncDisposable {
  readonly status: number;
  readonly headers: Headers;
  /** The last id that was read; null before the first. Sent as `Last-Event-ID`, it continues after the event. */
  lastId(): string | null;
  /** The next event that satisfies the condition, with its data parsed. Rejects if the stream ends before. */
  next(isIt?: (event: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
  /** Resolves with the remaining events when the server has ended the stream. */
  ended(): Promise<Record<string, unknown>[]>;
  /** Resolves with the next id that comes without an event, and takes the events before it. */
  idAlone(): Promise<string>;
  /** Resolves when a comment has arrived. */
  comment(): Promise<void>;
  /** Disconnects. */
  close(): void;
}

/** Opens a stream with an access token, as `fetch` in a browser does. */
export async function openEventStream(
  url: string,
  accessToken: string,
  lastEventId: string | null = null,
): Promise<EventStream> {
  const left = new AbortController();
  const headers = {
    authorization: `Bearer ${accessToken}`,
    ...(lastEventId === null ? {} : { 'last-event-id': lastEventId }),
  };
  const response = await fetch(url, { headers, signal: left.signal });
  let lastId: string | null = null;
  const blocks = blocksOf(response, (block) => (lastId = fieldOf(block, 'id') ?? lastId));
  return {
    status: response.status,
    headers: response.headers,
    lastId: () => lastId,
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
    async idAlone() {
      for await (const block of blocks) {
        const id = fieldOf(block, 'id');
        if (id !== null && eventOf(block) === null) return id;
      }
      throw new Error('the stream has ended');
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
  const data = fieldOf(block, 'data');
  return data === null ? null : (JSON.parse(data) as Record<string, unknown>);
}

function fieldOf(block: string, name: string): string | null {
  const line = block.split('\n').find((one) => one.startsWith(`${name}: `));
  return line === undefined ? null : line.slice(name.length + 2);
}

/** The blocks between empty lines. Each reader continues where the previous one stopped. */
function blocksOf(response: Response, onBlock: (block: string) => void): AsyncIterable<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  async function next(): Promise<IteratorResult<string>> {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const value = text.slice(0, end);
        text = text.slice(end + 2);
        onBlock(value);
        return { done: false, value };
      }
      const read = await reader?.read();
      if (read === undefined || read.done) return { done: true, value: undefined };
      text += read.value;
    }
  }
  return { [Symbol.asyncIterator]: () => ({ next }) };
}
