import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** The receiver's response. */
export type Answer =
  | { readonly kind: 'answered'; readonly status: number; readonly text: string }
  /** No connection: nothing was sent. */
  | { readonly kind: 'away'; readonly reason: string }
  /** The connection broke, or there was no complete answer in time. The receiver may have processed the event. */
  | { readonly kind: 'broken'; readonly reason: string };

/** One request to the receiver. */
export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Until the last byte of the answer, in ms. */
  readonly timeoutMs: number;
  /** False takes any certificate, such as a self-signed one of a laptop. */
  readonly verifyCertificate: boolean;
}

/** How much of an answer is kept, in characters. */
const keptLength = 1_000;

/**
 * Posts once, as the service posts a webhook: these headers, the body byte for byte, no redirects, and a connection of its
 * own, so that none breaks because the receiver has just restarted.
 */
export function post({ url, headers, body, timeoutMs, verifyCertificate }: Post): Promise<Answer> {
  return new Promise((resolve) => {
    const bytes = Buffer.from(body);
    let connected = false;
    const start = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = start(url, {
      method: 'POST',
      agent: false,
      headers: { ...headers, 'content-length': bytes.length, connection: 'close' },
      rejectUnauthorized: verifyCertificate,
    });
    const settle = (answer: Answer): void => {
      clearTimeout(deadline);
      resolve(answer);
    };
    const deadline = setTimeout(() => {
      settle({ kind: connected ? 'broken' : 'away', reason: `no answer within ${timeoutMs / 1_000} s` });
      request.destroy();
    }, timeoutMs);
    request.on('socket', (socket) => socket.once('connect', () => (connected = true)));
    request.on('error', (error) => settle({ kind: connected ? 'broken' : 'away', reason: reasonOf(error) }));
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text = (text + chunk).slice(0, keptLength)));
      response.on('error', (error) => settle({ kind: 'broken', reason: reasonOf(error) }));
      response.on('end', () => settle({ kind: 'answered', status: response.statusCode ?? 0, text }));
    });
    // Status 101: the receiver speaks another protocol from now on.
    request.on('upgrade', (response, socket) => {
      settle({ kind: 'answered', status: response.statusCode ?? 0, text: '' });
      socket.destroy();
    });
    request.on('close', () => settle({ kind: 'broken', reason: 'the connection was closed' }));
    request.end(bytes);
  });
}

function reasonOf(error: Error): string {
  const errors = error instanceof AggregateError ? (error.errors as Error[]) : [];
  return error.message || (errors[0]?.message ?? error.name);
}
