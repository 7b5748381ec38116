import { bytesOf, idsOf } from './ids.ts';

const titles = (...given: readonly string[]) => given.map((title) => ({ title, id: '' }));

test('an ID is made from the title', () => {
  expect(idsOf(titles('Yes', 'Next week?', 'Да, позже', '  '))).toEqual([
    'yes',
    'next-week',
    'да-позже',
    'choice-4',
  ]);
});

test('made IDs differ from each other and from typed ones', () => {
  expect(idsOf([...titles('Yes', 'yes!'), { title: 'Sure', id: 'yes-2' }])).toEqual([
    'yes',
    'yes-3',
    'yes-2',
  ]);
  expect(
    idsOf([
      { title: 'A', id: 'same' },
      { title: 'B', id: 'same' },
    ]),
  ).toEqual(['same', 'same']);
});

test('made IDs fit the limit, and no character is cut', () => {
  const [first = '', second = ''] = idsOf(titles('ж'.repeat(70), 'ж'.repeat(70)));
  expect(first).toBe('ж'.repeat(32));
  expect(second).toBe(`${'ж'.repeat(31)}-2`);
  expect(bytesOf(first)).toBe(64);
  expect(bytesOf(second)).toBe(64);
});
