import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long a text is kept, in ms. So the cost does not grow with the number of requests. */
const keptMs = 1_000;

export interface MetricsOptions {
  /** The type of the text, such as `text/plain; version=0.0.4`. */
  readonly contentType: string;
  /** The text. It must come from memory, because scrapers ask every few seconds. Called at most once a second. */
  render(): Promise<string>;
  /** If set, a scraper must send `Authorization: Bearer` with it. */
  readonly token: string | null;
  /** Receives what `render` throws. The scraper gets a 500. */
  onError(error: unknown): void;
  /** The clock, in ms. Default: `performance.now`. */
  readonly now?: () => number;
}

/**
 * The handler of `/metrics`, for GET and HEAD. It answers 200 and the text, and a missing or wrong token with 401 (RFC 6750,
 * 3). Requests share a text for a second.
 */
export function metricsPage(
  options: MetricsOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  const text = keptText(options);
  return (request, response) => {
    if (options.token !== null && !hasToken(request, options.token))
      return answer(response, 401, 'text/plain', '', { 'www-authenticate': 'Bearer realm="metrics"' });
    text().then(
      (body) => answer(response, 200, options.contentType, body),
      () => answer(response, 500, 'text/plain', ''),
    );
  };
}

/** Renders when the last text is too old. A failure is kept like a text, and reported once. */
function keptText(options: MetricsOptions): () => Promise<Buffer> {
  let text: Promise<Buffer> | null = null;
  let isRendering = false;
  let renderedAt = 0;
  const { now = () => performance.now() } = options;
  async function rendered(): Promise<Buffer> {
    isRendering = true;
    try {
      return Buffer.from(await options.render());
    } catch (error) {
      options.onError(error);
      throw error;
    } finally {
      isRendering = false;
      renderedAt = now();
    }
  }
  return () => {
    if (text === null || (!isRendering && now() - renderedAt >= keptMs)) text = rendered();
    return text;
  };
}

function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const [, given = ''] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  return isSame(given, token);
}

/** Compares two secrets in a time that reveals neither their length nor where they differ. */
function isSame(given: string, secret: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', secret, 'buffer'));
}

/** Node leaves the body out of an answer to HEAD. */
function answer(
  response: ServerResponse,
  status: number,
  type: string,
  text: string | Buffer,
  more: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...more,
  });
  response.end(text);
}
