import { matching, recipientIn } from './matching.ts';

const commands = ['Messages', 'Service tokens', 'Theme: Dark'].map((label) => ({
  label,
  run: () => undefined,
}));

test('finds the commands that have every typed word, in whatever order', () => {
  expect(matching(commands, 'dark  THEME').map(({ label }) => label)).toEqual(['Theme: Dark']);
  expect(matching(commands, '')).toHaveLength(3);
  expect(matching(commands, 'nothing')).toEqual([]);
});

test.each([
  ['+49 157 355-50140', '+4915735550140'],
  ['157 355', null],
  ['+49 mia', null],
])('the recipient in %s is %s', (typed, recipient) => {
  expect(recipientIn(typed)).toBe(recipient);
});
