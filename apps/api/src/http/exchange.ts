import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request and its answer, in the same form for every endpoint. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The pattern of the endpoint that handles the request. Null for a page of Express, or for nothing. */
  readonly route: string | null;
  /** The named parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The fields of the query. A field that occurs several times is a list. */
  readonly query: Readonly<Record<string, string | string[] | undefined>>;
  readonly requestId: string;
  /** The headers of the answer: names and values in turn, as `writeHead` takes them. See `answer.ts`. */
  readonly headers: string[];
  /** For the log. Set once the credential has been checked. */
  tenantId?: string;
}

/** Answers a request, or throws the error to answer instead. */
export type Handler = (exchange: Exchange) => Promise<void>;
