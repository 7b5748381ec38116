import type { IncomingMessage, ServerResponse } from 'node:http';

/*
 * What handlers use of a request and its answer: Node's own, and the few fields that both ways to them set, Express's
 * router and the direct one (`direct.ts`).
 */

export interface ApiRequest extends IncomingMessage {
  readonly originalUrl: string;
  readonly params: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  /** The client's address as far as the proxies in front are trusted; not known on the direct way. */
  readonly ip?: string | undefined;
  /** What took the request, once something has. */
  readonly route?: unknown;
}

export interface ApiResponse extends ServerResponse {
  locals: Express.Locals;
}

/** Answers a request, or throws what is to be answered in its place. */
export type ApiHandler = (request: ApiRequest, response: ApiResponse) => Promise<void>;
