import type { TObject, TSchema } from 'typebox';
import type { Callers, Route } from './route.ts';

type Twin = 'api-key' | 'bearer';

/** Who calls either of two twins. A session and a service token have no key, and reach all accounts of their tenant. */
export type TwinCaller =
  | Callers['api-key']
  | (Pick<Callers['bearer'], 'tenantId' | 'plan'> & { readonly keyId: null; readonly accountIds: null });

/** What only one of two twins has. Its summary and description go before those that both have. */
type Own<C extends Twin> = Pick<Route<C>, 'operationId' | 'path' | 'tag' | 'scope'> &
  Partial<Pick<Route, 'summary' | 'description'>>;

type Handle<P extends TObject, Q extends TObject, B extends TSchema, R extends TSchema, N> = Route<
  Twin,
  P,
  Q,
  B,
  R,
  N
>['handle'];

interface Twins<P extends TObject, Q extends TObject, B extends TSchema, R extends TSchema, N> extends Omit<
  Route<Twin, P, Q, B, R, N>,
  'operationId' | 'path' | 'tag' | 'credential' | 'scope' | 'handle'
> {
  readonly byKey: Own<'api-key'>;
  readonly byBearer: Own<'bearer'>;
  handle(
    input: Omit<Parameters<Handle<P, Q, B, R, N>>[0], 'caller'> & { readonly caller: TwinCaller },
    needs: N,
  ): ReturnType<Handle<P, Q, B, R, N>>;
}

/** Returns the two routes of one operation: for API keys, and for sessions and service tokens. They differ in `byKey` and `byBearer`. */
export function defineTwins<P extends TObject, Q extends TObject, B extends TSchema, R extends TSchema, N>({
  byKey,
  byBearer,
  ...shared
}: Twins<P, Q, B, R, N>): readonly [Route<'api-key', P, Q, B, R, N>, Route<'bearer', P, Q, B, R, N>] {
  return [
    { ...shared, ...byKey, credential: 'api-key' },
    {
      ...shared,
      ...byBearer,
      credential: 'bearer',
      handle: ({ caller, ...input }, needs) =>
        shared.handle({ ...input, caller: { ...caller, keyId: null, accountIds: null } }, needs),
    },
  ];
}
