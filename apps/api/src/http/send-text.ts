import type { ApiResponse } from './exchange.ts';

/** Adds a header to an answer that leaves by `sendText`; where none are kept together, also to any other. */
export function addHeader(response: ApiResponse, name: string, value: string): void {
  const { headers } = response.locals;
  if (headers === undefined) response.setHeader(name, value);
  else headers.push(name, value);
}

/**
 * Answers a text as it is. Head and body leave as one string. Headers that were kept together are given to Node as one
 * list, which costs a quarter less of such an answer than setting each of them.
 */
export function sendText(response: ApiResponse, status: number, type: string, text: string): void {
  const { headers } = response.locals;
  addHeader(response, 'Content-Type', type);
  response.statusCode = status;
  if (headers !== undefined) {
    addHeader(response, 'Content-Length', String(Buffer.byteLength(text)));
    response.writeHead(status, headers);
  }
  response.end(text);
}
