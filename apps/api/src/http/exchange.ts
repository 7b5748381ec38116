import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request on its way to its answer: the same for every endpoint. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The pattern of what took the request, once something has; null where nothing does. */
  readonly route: string | null;
  /** The named parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** A field that the address names several times is a list. */
  readonly query: Readonly<Record<string, string | string[] | undefined>>;
  readonly requestId: string;
  /** The headers of the answer: names and values in turn, as `writeHead` takes them. See `answer.ts`. */
  readonly headers: string[];
  /** Known once the credential is; for the log. */
  tenantId?: string;
}

/** Answers a request, or throws what is to be answered in its place. */
export type Handler = (exchange: Exchange) => Promise<void>;
