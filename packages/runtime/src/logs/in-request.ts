import { AsyncLocalStorage } from 'node:async_hooks';

/** What log lines tell of the request that is being handled. */
export interface RequestContext {
  readonly requestId: string;
  /** The message that it accepted. */
  messageId?: string;
  /** How many messages it accepted, of a bulk call. */
  messages?: number;
}

// A context belongs to the running code and not to an object, so there is one for the process.
const requests = new AsyncLocalStorage<RequestContext>();

/** Runs the work of a request. Every log line from inside, however deep or late, has its `requestId`. */
export function inRequest<T>(request: RequestContext, work: () => T): T {
  return requests.run(request, work);
}

/** The request in which this runs; undefined outside of requests. */
export function currentRequest(): RequestContext | undefined {
  return requests.getStore();
}
