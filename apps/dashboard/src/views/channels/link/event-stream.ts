/**
 * The data of each event of a server-sent stream (HTML Living Standard, 9.2). Reads with `fetch`, because `EventSource`
 * cannot send headers. Ends with the stream; rejects when it breaks.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (text + value.replaceAll('\r', '')).split('\n\n');
      text = blocks.pop() ?? '';
      yield* blocks.map(dataOf).filter((data) => data !== null);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The data lines of a block, joined; null for a block without any, such as a comment. */
function dataOf(block: string): string | null {
  const lines = block.split('\n').filter((line) => line.startsWith('data:'));
  if (lines.length === 0) return null;
  return lines.map((line) => line.slice('data:'.length).replace(/^ /, '')).join('\n');
}
