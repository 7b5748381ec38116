import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestContext } from '@notify/runtime';
import type { Origin } from '@notify/telemetry';
import type { Place } from '../admission/admission.ts';
import type { Asker } from '../admission/asker.ts';
import type { Credential } from './credential.ts';

/** A request and its answer, in the same form for every endpoint. */
export interface Exchange extends RequestContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The pattern of the endpoint that handles the request. Null for a page of Express, or for nothing. */
  readonly route: string | null;
  /** The kind of credential that the endpoint requires. */
  readonly accepts: Credential;
  /** The named parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The fields of the query. A field that occurs several times is a list. */
  readonly query: Readonly<Record<string, string | string[] | undefined>>;
  /** The headers of the answer: names and values in turn, as `writeHead` takes them. See `answer.ts`. */
  readonly headers: string[];
  /** Who sent it, as far as memory knows. Null for a page of Express, or for nothing. */
  readonly asker: Asker | null;
  /** Its place among the requests in progress. */
  place: Place;
  /** For the log. Set once the credential has been checked. */
  tenantId?: string;
  /** Set once the answer has begun, if it is a stream. */
  stream?: 'events' | 'files';
  /** Settles when the endpoint has done its work, which may be after the client has gone. */
  handled?: Promise<unknown>;
  /** For its trace. Set once the credential has been checked; absent where traces are off. */
  origin?: Origin;
}

/** Answers a request, or throws the error to answer instead. */
export type Handler = (exchange: Exchange) => Promise<void>;
