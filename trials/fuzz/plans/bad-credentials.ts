import fc from 'fast-check';
import type { Operation } from '../api.ts';
import type { Headers } from '../client.ts';

/**
 * Where an access token is asked for: those that must not work, none at all, the wrong kind. Some operations take service
 * tokens beside it.
 */
export function badBearers(badTokens: readonly string[], takesTokens: boolean): fc.Arbitrary<Headers> {
  const serviceToken: Headers = [['authorization', 'Bearer <<my.serviceToken>>']];
  return fc.oneof(
    ...(takesTokens ? [] : [{ weight: 1, arbitrary: fc.constant(serviceToken) }]),
    {
      weight: 3,
      arbitrary: fc
        .constantFrom(...badTokens)
        .map((name): Headers => [['authorization', `Bearer <<bad.${name}>>`]]),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Headers[]>(
        [],
        [['authorization', 'Bearer']],
        [['authorization', 'Basic YTpi']],
        [['authorization', '<<my.token>>']],
        [['authorization', `Bearer <<my.token>>x`]],
        [['x-api-key', '<<my.apiKey>>']],
        [['authorization', 'Bearer <<my.apiKey>>']],
        [['authorization', 'Bearer <<my.revokedToken>>']],
        [['authorization', 'Bearer <<my.serviceToken>>x']],
        [['authorization', `Bearer svc_tok_${'a'.repeat(49)}`]],
        [['authorization', 'Bearer svc_tok_']],
        [['authorization', `Bearer svc_tok_${'0'.repeat(5_000)}`]],
        [['x-api-key', '<<my.serviceToken>>']],
        [['cookie', 'svc_refresh=<<my.refresh>>']],
        [
          ['authorization', 'Bearer <<bad.expired>>'],
          ['authorization', 'Bearer <<my.token>>'],
        ],
      ),
    },
  );
}

const asBearer: Headers = [['authorization', 'Bearer <<my.apiKey>>']];

/** Where an API key is asked for. Alerts take it as a bearer token, too. */
export function badKeys({ id }: Operation): fc.Arbitrary<Headers> {
  return fc.constantFrom<Headers[]>(...others, ...(id === 'messages.sendAlerts' ? [] : [asBearer]));
}

const others: readonly Headers[] = [
  [],
  [['x-api-key', '']],
  [['x-api-key', '<<my.apiKey>>x']],
  [['x-api-key', '<<my.apiKey>>, <<my.apiKey>>']],
  [['x-api-key', `svc_live_${'a'.repeat(49)}`]],
  [['x-api-key', 'svc_live_']],
  [['x-api-key', 'x'.repeat(5_000)]],
  [['authorization', 'Bearer <<my.token>>']],
  [['x-api-key', '<<my.token>>']],
  [['x-api-key', '<<my.serviceToken>>']],
  [['authorization', 'Bearer <<my.serviceToken>>']],
  [['x-api-key', '__proto__']],
  [
    ['x-api-key', '<<my.apiKey>>'],
    ['x-api-key', '<<my.apiKey>>'],
  ],
];
