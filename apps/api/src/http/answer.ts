import type { Exchange } from './exchange.ts';

/** Adds a header to the answer. A header added twice is sent twice. */
export function addHeader({ headers }: Pick<Exchange, 'headers'>, name: string, value: string): void {
  headers.push(name, value);
}

/** Sets a header of the answer in place of those of the same name. */
export function replaceHeader({ headers }: Pick<Exchange, 'headers'>, name: string, value: string): void {
  for (let at = headers.length - 2; at >= 0; at -= 2)
    if (headers[at]!.toLowerCase() === name.toLowerCase()) headers.splice(at, 2);
  headers.push(name, value);
}

/** Answers without a body. */
export function answerNothing({ response, headers }: Exchange, status: number): void {
  response.writeHead(status, headers).end();
}

/**
 * Answers a text unchanged. Node gets the headers as one list, which costs a quarter less of such an answer than
 * setting each; head and body leave as one string. An answer to HEAD has no Content-Length.
 */
export function answerText(exchange: Exchange, status: number, type: string, text: string): void {
  const { request, response, headers } = exchange;
  addHeader(exchange, 'Content-Type', type);
  if (request.method !== 'HEAD') addHeader(exchange, 'Content-Length', String(Buffer.byteLength(text)));
  response.writeHead(status, headers).end(text);
}
