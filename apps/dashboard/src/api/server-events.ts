/** One event of a server-sent stream. */
export interface ServerEvent {
  /** The stream is resumed after this one; null if it has none. */
  readonly id: string | null;
  /** Null in a block that only tells how far the stream has come. */
  readonly data: string | null;
}

/** The stream sent nothing for too long, not even a comment. */
export class StreamSilent extends Error {
  override readonly name = 'StreamSilent';
}

/**
 * The events of a server-sent stream (HTML Living Standard, 9.2). Reads with `fetch`, because `EventSource` cannot send
 * headers. Ends with the stream; rejects when it breaks, and with `StreamSilent` after `silentMs` without a byte.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  silentMs = Infinity,
): AsyncGenerator<ServerEvent, void> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await within(silentMs, reader.read());
      if (done) return;
      const blocks = (text + value.replaceAll('\r', '')).split('\n\n');
      text = blocks.pop() ?? '';
      yield* blocks.map(eventOf).filter((event) => event !== null);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The data lines of a block, joined, and its ID; null for a block without either, such as a comment. */
function eventOf(block: string): ServerEvent | null {
  const lines = block.split('\n');
  const data = valuesOf(lines, 'data');
  const id = valuesOf(lines, 'id').at(-1) ?? null;
  if (data.length === 0) return id === null ? null : { id, data: null };
  return { id, data: data.join('\n') };
}

function valuesOf(lines: readonly string[], field: string): string[] {
  return lines
    .filter((line) => line.startsWith(`${field}:`))
    .map((line) => line.slice(field.length + 1).replace(/^ /, ''));
}

async function within<T>(ms: number, task: Promise<T>): Promise<T> {
  if (ms === Infinity) return task;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StreamSilent()), ms);
  });
  try {
    return await Promise.race([task, late]);
  } finally {
    clearTimeout(timer);
  }
}
