import type { KeyScope, ProblemCode, TokenScope } from '@notify/contract';
import type { Bearer } from '@notify/db/tenants';
import Type, { type Static, type TObject, type TSchema } from 'typebox';
import type { Credential } from './credential.ts';
import type { RequestInfo } from './request-info.ts';

/** The caller that each kind of credential identifies. */
export interface Callers {
  readonly none: null;
  /** A session's access token, and nothing else. */
  readonly session: SessionCaller;
  /** A session's access token, or a service token with the scope of the route. */
  readonly bearer: SessionCaller | TokenCaller;
  /** An API key with the scope of the route. */
  readonly 'api-key': {
    readonly tenantId: string;
    readonly plan: string;
    readonly keyId: string;
    /** The only accounts of the key. Null: all of the tenant's. */
    readonly accountIds: readonly string[] | null;
  };
}
export type { Credential };

interface SessionCaller extends Bearer {
  readonly isToken: false;
  /** The tenant's plan. */
  readonly plan: string;
  readonly expiresAt: Date;
}

interface TokenCaller extends Bearer {
  readonly isToken: true;
  readonly plan: string;
  /** Null: the token ends when it is revoked. */
  readonly expiresAt: Date | null;
  /** CIDR blocks. Null: the token works from every address. */
  readonly allowedIps: readonly string[] | null;
}

/** The scopes that each kind of credential has. Sessions may do everything. */
interface Scopes {
  readonly none: null;
  readonly session: null;
  readonly bearer: TokenScope;
  readonly 'api-key': KeyScope;
}

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

/**
 * One endpoint: what it accepts, what it answers, and what it does. OpenAPI, validation and types all come from here. `N` is what
 * its handler needs of the api, and nothing more. The app hands it in.
 */
export interface Route<
  C extends Credential = Credential,
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
  R extends TSchema = TSchema,
  N = never,
> {
  /**
   * The name of the operation in openapi.json, as `group.verb`. Clients are generated with it, so it never changes once it
   * is published.
   */
  readonly operationId: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Literal segments and `:names`, such as `/v1/webhooks/:id`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly credential: C;
  readonly scope: Scopes[C];
  /** Whether `Authorization` may hold the API key too: some callers cannot send `X-Api-Key`. */
  readonly keyInAuthorization?: boolean;
  readonly params: P;
  readonly query: Q;
  /** `NoBody` if the request has none, `FileBody` if it is a file. A missing body counts as `{}`. */
  readonly body: B;
  /** Whether the header `Idempotency-Key` stands for the body's `idempotencyKey`, or is refused. Default: neither. */
  readonly idempotencyHeader?: 'taken' | 'refused';
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
    needs: N,
  ): Promise<Static<R>>;
}

/** A route whose handler needs no more than `N`. */
export type RouteOver<N> = Route<Credential, TObject, TObject, TSchema, TSchema, N>;

/** The params of a route whose path has no `:names`. */
export const NoParams = Type.Object({});
/** The query of a route without query parameters. */
export const NoQuery = Type.Object({});
/** The body of a route that reads none. */
export const NoBody = Type.Undefined();
/** The response of a route that answers without a body, such as 204. */
export const NoContent = Type.Void();

/** Returns the route unchanged. It lets TypeScript infer `handle`'s argument types from the schemas beside it. */
export function defineRoute<
  C extends Credential,
  P extends TObject,
  Q extends TObject,
  B extends TSchema,
  R extends TSchema,
  N,
>(route: Route<C, P, Q, B, R, N>): Route<C, P, Q, B, R, N> {
  return route;
}
