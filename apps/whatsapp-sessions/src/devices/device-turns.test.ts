import { createDeviceTurns } from './device-turns.ts';

const tick = () => new Promise((resolve) => setImmediate(resolve));

/** Who got a turn, in order, and how each ends. */
function world() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    wait: (name: string, turn: Promise<() => void>): void =>
      void turn.then((end) => {
        begun.push(name);
        ends.set(name, end);
      }),
    end: async (name: string): Promise<void> => {
      ends.get(name)!();
      await tick();
    },
  };
}

test('a tenant whose histories hang leaves a place to others', async () => {
  const { turnToRead } = createDeviceTurns();
  const { begun, wait } = world();
  for (let index = 0; index < 20; index += 1) wait('busy', turnToRead('busy'));
  wait('quiet', turnToRead('quiet'));
  await tick();
  expect(begun).toEqual(['busy', 'busy', 'quiet']);
});

test('a tenant whose devices hang while they connect leaves a place to others', async () => {
  const { turnToConnect } = createDeviceTurns();
  const { begun, wait } = world();
  for (let index = 0; index < 20; index += 1) wait('busy', turnToConnect('busy', false));
  wait('quiet', turnToConnect('quiet', false));
  await tick();
  expect(begun).toEqual([...Array(9).fill('busy'), 'quiet']);
});

test('first logins are served in turns of tenants, beside the other logins', async () => {
  const { turnToConnect } = createDeviceTurns();
  const { begun, wait, end } = world();
  for (let index = 0; index < 3; index += 1) wait(`busy ${index}`, turnToConnect('busy', true));
  wait('quiet', turnToConnect('quiet', true));
  wait('known', turnToConnect('busy', false));
  await tick();
  await end('busy 0');
  await end('busy 1');
  await end('quiet');
  expect(begun).toEqual(['busy 0', 'known', 'busy 1', 'quiet', 'busy 2']);
});
