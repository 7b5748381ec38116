import { createShortcuts, type Press } from './shortcuts.ts';

const places = [{ to: '/messages', letter: 'm' }, { to: '/groups' }];
const press = (key: string, more: Partial<Press> = {}): Press => ({
  key,
  hasControl: false,
  hasAlt: false,
  isTaken: false,
  at: 0,
  ...more,
});

function read(presses: readonly Press[], hasSingleKeys = true) {
  const shortcutOf = createShortcuts(places, () => hasSingleKeys);
  return presses.map(shortcutOf);
}

test('Control and K opens the commands, ? the shortcuts, and g with a letter a view', () => {
  expect(read([press('k', { hasControl: true }), press('?'), press('g'), press('m')])).toEqual([
    'commands',
    'help',
    null,
    { to: '/messages' },
  ]);
});

test('a letter means nothing without g, too late after it, or with another key between', () => {
  expect(read([press('m'), press('g'), press('m', { at: 2_000 })])).toEqual([null, null, null]);
  expect(read([press('g'), press('x'), press('m')])).toEqual([null, null, null]);
});

test('no key is taken from an input, a menu or a dialog, and none that another shortcut may have', () => {
  expect(
    read([
      press('k', { hasControl: true, isTaken: true }),
      press('?', { isTaken: true }),
      press('g'),
      press('m', { isTaken: true }),
      press('?', { hasAlt: true }),
      press('m', { hasControl: true }),
    ]),
  ).toEqual([null, null, null, null, null, null]);
});

test('single keys can be turned off, which leaves Control and K', () => {
  expect(read([press('?'), press('g'), press('m'), press('K', { hasControl: true })], false)).toEqual([
    null,
    null,
    null,
    'commands',
  ]);
});
