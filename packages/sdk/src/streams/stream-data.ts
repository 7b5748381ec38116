import { ConnectionError } from '../errors.ts';
import { createBlockParser } from './server-sent-events.ts';

/**
 * The data of each event of a stream. Ends with the stream. Throws `ConnectionError` if the connection is cut, and the
 * signal's reason if it aborted. Leaving the loop ends the connection.
 */
export async function* streamData(
  response: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void, undefined> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader();
  const parser = createBlockParser();
  try {
    for (;;) {
      const read = await reader?.read().catch((error: unknown) => lost(error, signal));
      if (read === undefined || read.done) return;
      yield* parser.push(read.value).flatMap(({ data }) => (data === null ? [] : [data]));
    }
  } finally {
    await reader?.cancel().catch(() => {});
  }
}

function lost(error: unknown, signal: AbortSignal | undefined): never {
  signal?.throwIfAborted();
  throw new ConnectionError('The stream was cut', { cause: error });
}
