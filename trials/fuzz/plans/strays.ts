import fc from 'fast-check';
import type { Api } from '../api.ts';
import type { HttpPlan } from './plan.ts';
import { pathsOf } from './subjects.ts';

const methods = [
  'GET',
  'PUT',
  'POST',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'MERGE',
  'PURGE',
];

const pages = [
  '/docs',
  '/docs/',
  '/docs/style.css',
  '/docs/reference.css',
  '/openapi.json',
  '/healthz',
  '/readyz',
  '/problems',
  '/problems/internal',
  '/problems/__proto__',
  '/problems/constructor',
  '/problems/%00',
  '/',
  '//',
  '/docs/../docs',
  '/docs/style.css/..%2f..%2fapp.ts',
  '/docs/%2e%2e/app.ts',
  '/.env',
  '/auth',
  '/v1',
  '/v1/notify',
  '/V1/WEBHOOKS',
  '/v1/webhooks/',
  '/v1//webhooks',
  '/v1/notify/sms/text/',
  '/v2/notify/sms/text',
  '/favicon.ico',
  '/callbacks',
  '/callbacks/x',
  '/%',
  '/%E0%A4%A',
];

const conditions: readonly HttpPlan['headers'][] = [
  [],
  [['range', 'bytes=0-3']],
  [['range', 'bytes=999999-']],
  [['range', 'bytes=5-1,,x']],
  [['if-match', '"nothing"']],
  [['if-none-match', '*']],
  [['if-unmodified-since', 'Mon, 01 Jan 1990 00:00:00 GMT']],
  [['if-modified-since', 'Mon, 01 Jan 2100 00:00:00 GMT']],
  [['accept', 'image/png']],
  [['accept-encoding', 'identity;q=0']],
];

/** Requests that no operation takes: wrong methods on paths that exist, paths that do not, and pages. */
export function strayPlans({ operations }: Api): fc.Arbitrary<HttpPlan> {
  const credentials: HttpPlan['headers'] = [
    ['authorization', 'Bearer <<my.token>>'],
    ['x-api-key', '<<my.apiKey>>'],
  ];
  const isTaken = (path: string, method: string): boolean =>
    operations.some(
      (one) => one.path === path && (one.method === method || (one.method === 'GET' && method === 'HEAD')),
    );
  const wrongMethod = fc
    .tuple(
      fc
        .constantFrom(...operations)
        .chain((operation) => fc.tuple(fc.constant(operation), pathsOf(operation, 'my'))),
      fc.constantFrom(...methods),
    )
    .filter(([[operation], method]) => !isTaken(operation.path, method))
    .map(([[, path], method]) => ({
      what: `method ${method}`,
      operation: null,
      method,
      path,
      headers: credentials,
      body: null,
      mustBe: method === 'OPTIONS' ? (204 as const) : (405 as const),
    }));
  const page = fc
    .tuple(
      fc.constantFrom(...pages),
      fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS'),
      fc.constantFrom(...conditions),
    )
    .map(([path, method, headers]) => ({
      what: `page ${path}`,
      operation: null,
      method,
      path,
      headers: [...credentials, ...headers],
      body: null,
    }));
  return fc.oneof(wrongMethod, page);
}
