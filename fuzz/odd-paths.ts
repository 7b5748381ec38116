import fc from 'fast-check';
import { hostileText } from './hostile.ts';

/** For the place of an id in a path. */
export const oddSegments: fc.Arbitrary<string> = fc.oneof(
  hostileText.map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom(
    '%',
    '%zz',
    '%E0%A4%A',
    '%00',
    '%2e%2e%2f',
    '..%2f..',
    '%ff',
    '',
    ';',
    ':id',
    '*',
    '%2F',
    '.',
    '..',
    '%ED%A0%80',
    '\u00e9',
  ),
);

/** Queries that no route expects. */
export const oddQueries: fc.Arbitrary<string> = fc.oneof(
  fc.constant(''),
  fc
    .tuple(
      fc.constantFrom('limit', 'cursor', 'state', 'q', '__proto__', 'limit[]', 'limit[a]', 'constructor'),
      oddSegments,
    )
    .map(([name, value]) => `?${name}=${value}&${name}=${value}`),
  fc.constantFrom(
    '?',
    '??',
    '?&&&',
    '?limit=1e9',
    '?limit=0x10',
    '?limit=%201',
    '?limit=1&limit=2',
    '?limit=-1',
    '?limit=',
    '?cursor=',
    '?cursor=bnVsbA',
    '?cursor=W10',
    `?${'a=1&'.repeat(1_500)}`,
  ),
);
