import type { ProblemCode } from '@notify/contract';
import Type, { type Static, type TObject, type TSchema } from 'typebox';
import type { ApiDeps } from '../deps.ts';
import type { RequestInfo } from './request-info.ts';

/** Who calls, as far as the route asks for it. */
export interface Callers {
  readonly none: null;
  /** A session's access token. */
  readonly bearer: {
    readonly tenantId: string;
    /** The tenant's. */
    readonly plan: string;
    readonly sessionId: string;
    readonly expiresAt: Date;
  };
  /** An API key. */
  readonly 'api-key': { readonly tenantId: string; readonly plan: string; readonly keyId: string };
}
export type Credential = keyof Callers;

/** Who calls. `confirm` is there when that came from a cache: it asks the database and throws when it no longer holds. */
export interface Authenticated {
  readonly caller: Callers[Credential];
  readonly confirm?: () => Promise<void>;
}

/** What a handler may add to its answer. */
export interface Reply {
  header(name: string, value: string): void;
  /** Sets a cookie by its complete `Set-Cookie` value. */
  cookie(setCookie: string): void;
}

/** One endpoint: what it accepts, what it answers, and what it does. OpenAPI, validation and types all come from here. */
export interface Route<
  C extends Credential = Credential,
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
  R extends TSchema = TSchema,
> {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** Literal segments and `:names`, such as `/v1/webhooks/:id`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly credential: C;
  readonly params: P;
  readonly query: Q;
  /** `NoBody` where the request has none. A missing body counts as `{}`. */
  readonly body: B;
  /** The longest body it takes; default 1 MB, and 16 KB for strangers whatever this says. */
  readonly maxBodyBytes?: number;
  readonly status: number;
  /** `NoContent` for 204; `EventStream` for a server-sent stream. */
  readonly response: R;
  /** Problems it may answer, beyond those every route of its credential may. */
  readonly problems: readonly ProblemCode[];
  /** Throws the Problem of what the path alone decides; called before the body is looked at. */
  checkPath?(params: Static<P>): void;
  // Method syntax, on purpose: its parameters compare bivariantly, which is what lets routes of different shapes share
  // one list. `toHandler` checks every input against the schemas beside it.
  handle(
    input: {
      params: Static<P>;
      query: Static<Q>;
      body: Static<B>;
      caller: Callers[C];
      request: RequestInfo;
      reply: Reply;
    },
    deps: ApiDeps,
  ): Promise<Static<R>>;
}

export const NoParams = Type.Object({});
export const NoQuery = Type.Object({});
export const NoBody = Type.Undefined();
export const NoContent = Type.Void();

/** Identity: it exists so that `handle`'s argument types are inferred from the schemas beside it. */
export function defineRoute<
  C extends Credential,
  P extends TObject,
  Q extends TObject,
  B extends TSchema,
  R extends TSchema,
>(route: Route<C, P, Q, B, R>): Route<C, P, Q, B, R> {
  return route;
}
