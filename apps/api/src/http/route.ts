import type { ProblemCode } from '@notify/contract';
import Type, { type Static, type TObject, type TSchema } from 'typebox';
import type { ApiDeps } from '../deps.ts';
import type { RequestInfo } from './request-info.ts';

/** The caller that each kind of credential identifies. */
export interface Callers {
  readonly none: null;
  /** A session's access token. */
  readonly bearer: {
    readonly tenantId: string;
    /** The tenant's plan. */
    readonly plan: string;
    readonly sessionId: string;
    readonly expiresAt: Date;
  };
  /** An API key. */
  readonly 'api-key': { readonly tenantId: string; readonly plan: string; readonly keyId: string };
}
export type Credential = keyof Callers;

/**
 * An authenticated caller. If it came from a cache, `confirm` asks the database and throws if the credential is no
 * longer valid.
 */
export interface Authenticated {
  readonly caller: Callers[Credential];
  readonly confirm?: () => Promise<void>;
}

/** The headers and cookies that a handler may add to its answer. */
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
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Literal segments and `:names`, such as `/v1/webhooks/:id`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly credential: C;
  readonly params: P;
  readonly query: Q;
  /** `NoBody` if the request has none. A missing body counts as `{}`. */
  readonly body: B;
  /** The limit of its body; default 1 MB. Without a credential it is 16 KB regardless. */
  readonly maxBodyBytes?: number;
  readonly status: number;
  /** `NoContent` for 204; `EventStream` for a server-sent stream; `FileStream` for a file. */
  readonly response: R;
  /** Problems it may answer, in addition to those of its credential. */
  readonly problems: readonly ProblemCode[];
  /** Throws a Problem that the path alone decides. Called before the body is read. */
  checkPath?(params: Static<P>): void;
  // Method syntax makes the parameters compare bivariantly, so routes of different shapes can share one list.
  // `toHandler` checks every input against the schemas beside it.
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

/** Returns the route unchanged. It lets TypeScript infer `handle`'s argument types from the schemas beside it. */
export function defineRoute<
  C extends Credential,
  P extends TObject,
  Q extends TObject,
  B extends TSchema,
  R extends TSchema,
>(route: Route<C, P, Q, B, R>): Route<C, P, Q, B, R> {
  return route;
}
