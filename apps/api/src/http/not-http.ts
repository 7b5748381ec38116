import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Problem, problemBody } from '../problems/problem.ts';
import { measureNotHttp } from './request-metrics.ts';

/** The code of an error that `pieces.ts` makes. */
export const tooManyPieces = 'TOO_MANY_PIECES';

/**
 * How long a client may take to read such an answer, in ms. A client that goes on sending would otherwise keep its
 * connection for ever.
 */
const leaveWithinMs = 1_000;

/**
 * Answers on a connection whose bytes are given up on, mostly by Node's parser, and closes it: 431 if the headers were
 * too large, 408 if they or the body took too long, else 400. No handler has seen the request, so this writes a whole
 * answer. A client that keeps its own side open is cut off after a second.
 */
export function answerNotHttp(error: NodeJS.ErrnoException, connection: Duplex): void {
  const problem = problemOf(error.code);
  measureNotHttp(problem.status);
  const body = JSON.stringify(problemBody(problem, randomUUID()));
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  const cutOff = setTimeout(() => connection.destroy(), leaveWithinMs);
  connection.once('close', () => clearTimeout(cutOff));
  connection.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function problemOf(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('too-large', { status: 431, detail: 'The headers are too large.' });
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem('too-large', { detail: 'The chunk extensions are too large.' });
    case tooManyPieces:
      return new Problem('too-large', { detail: 'The body has too many chunks.' });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('invalid-request', { status: 408, detail: 'The request took too long to arrive.' });
    case undefined:
    default:
      return new Problem('invalid-request', { status: 400, detail: 'The request is not valid HTTP.' });
  }
}

/**
 * Refuses HTTP/1.1 without a host, and any request with two hosts, because a proxy may have used the other one (RFC
 * 9112, 3.2).
 */
export function demandHost({ headers, httpVersion, rawHeaders }: IncomingMessage): void {
  if (headers.host === undefined) {
    if (httpVersion === '1.1')
      throw new Problem('invalid-request', { status: 400, detail: 'The Host header is missing.' });
  } else if (hasTwoHosts(rawHeaders))
    throw new Problem('invalid-request', { status: 400, detail: 'The request has two Host headers.' });
}

/** Node keeps only the first Host header. The raw headers are names and values in turn. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}
