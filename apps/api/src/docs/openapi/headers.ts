import type { Route } from '../../http/route.ts';
import type { ShownSchema } from './example.ts';

interface Header {
  readonly description: string;
  readonly schema: ShownSchema;
  readonly example: unknown;
}

/** The headers of responses that a client may use. */
export const responseHeaders = {
  'X-Request-Id': {
    description: 'Names the request in the log. It is the `X-Request-Id` of the request, if that had one.',
    schema: { type: 'string' },
    example: '01912d68-783e-7a52-9d3a-6c4f2b1e8a90',
  },
  'RateLimit-Limit': {
    description: 'How many requests the key may make in a minute.',
    schema: { type: 'integer' },
    example: 600,
  },
  'RateLimit-Remaining': {
    description: 'How many of them are left.',
    schema: { type: 'integer' },
    example: 599,
  },
  'RateLimit-Reset': {
    description: 'Seconds until all of them are available again.',
    schema: { type: 'integer' },
    example: 60,
  },
  'Retry-After': {
    description: 'Seconds until the request can be repeated.',
    schema: { type: 'integer' },
    example: 5,
  },
} satisfies Readonly<Record<string, Header>>;

type HeaderName = keyof typeof responseHeaders;
/** References to headers, by name. */
export type HeaderReferences = Readonly<Record<string, { readonly $ref: string }>>;

const rateHeaders: readonly HeaderName[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/** The headers of a route's response with this status. */
export function headersOf({ credential }: Pick<Route, 'credential'>, status: number): HeaderReferences {
  const names: HeaderName[] = ['X-Request-Id'];
  if (credential === 'api-key' && (status < 400 || status === 429)) names.push(...rateHeaders);
  if (status === 429 || status === 503) names.push('Retry-After');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
