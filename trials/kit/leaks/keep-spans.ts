import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import path from 'node:path';

/** A collector that writes what it gets into files, and keeps nothing in memory. */
export interface SpanKeeper {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  /** Requests with spans so far. */
  kept(): number;
  close(): Promise<void>;
}

/** A file is read as one string, and a long run may send more than a string can hold. */
const fileBytes = 64_000_000;

/** Starts a collector that keeps every request as one line of `spans-1.jsonl`, `spans-2.jsonl` and so on. */
export async function keepSpans(folder: string): Promise<SpanKeeper> {
  let kept = 0;
  let bytes = 0;
  const server = createServer((request, response) => {
    request.toArray().then(
      (chunks: Buffer[]) => {
        const body = Buffer.concat(chunks);
        bytes += body.length;
        kept += 1;
        const file = `spans-${1 + Math.floor(bytes / fileBytes)}.jsonl`;
        appendFileSync(path.join(folder, file), Buffer.concat([body, Buffer.from('\n')]));
        response.setHeader('content-type', 'application/json').end('{}');
      },
      // The sender was killed.
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    kept: () => kept,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
