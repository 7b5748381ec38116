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

/** Cursors of the list of events as they look inside, of no place that there is. */
const madeUpCursors = [
  [1, '', [9e15, 9e15, []], null, null],
  [1, '', [1, 0, [1, 0]], null, null],
  [1, 'x', null, [2, 2, []], '00000000-0000-0000-0000-000000000000'],
  [1, { a: 1 }, [1, 1, [[]]], [-1, 1e300, null], 'x'],
].map((cursor) => Buffer.from(JSON.stringify(cursor)).toString('base64url'));

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
    ...madeUpCursors.map((cursor) => `?cursor=${cursor}`),
    `?${'a=1&'.repeat(1_500)}`,
  ),
);
