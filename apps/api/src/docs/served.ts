import type { Request, Response, Router } from 'express';
import { gzipSync } from 'node:zlib';
import { addPage } from '../http/page.ts';
import { sitePolicy } from './site.ts';

const cacheSeconds = 300;

/** A text that is sent as it is. */
export interface Document {
  readonly text: string;
  /** The same for browsers that take it, made with the first of them. */
  packed?: Buffer;
}

/** Below these, compression gains nothing. */
const minPackedChars = 1_400;

/** Serves a text that is made when it is asked for first, and kept. Pages may load what is from this host only. */
export function addDocument(
  router: Router,
  address: string,
  type: 'html' | 'css' | 'js' | 'json',
  make: () => string | Promise<string>,
): void {
  let made: Document | null = null;
  addPage(router, address, async (request, response) => {
    made ??= { text: await make() };
    if (type === 'html') response.set('Content-Security-Policy', sitePolicy);
    send(request, cached(response), type, made);
  });
}

/** Sends a text, compressed where the client takes that. */
export function send(request: Request, response: Response, type: string, document: Document): void {
  response.type(type).vary('Accept-Encoding');
  const takes = request.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (!takes || document.text.length < minPackedChars) return void response.send(document.text);
  document.packed ??= gzipSync(document.text);
  response.set('Content-Encoding', 'gzip').send(document.packed);
}

/** Lets caches keep the response for some minutes. */
export function cached(response: Response): Response {
  return response.set('Cache-Control', `public, max-age=${cacheSeconds}`);
}
