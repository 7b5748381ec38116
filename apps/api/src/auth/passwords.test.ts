import { createPasswordQueue } from './password-queue.ts';
import { createPasswords } from './passwords.ts';

const asker = { address: '192.0.2.1', account: 'a', known: false, gone: new AbortController().signal };

test('every job takes its turn in the queue', async () => {
  const queue = createPasswordQueue({
    maxRunning: 2,
    maxWaiting: 9,
    maxWaitingPerAccount: 9,
    maxWaitMs: 60_000,
  });
  const passwords = await createPasswords(4, queue);
  const hash = await passwords.hash('right', asker);
  const all = Promise.all([
    ...['a', 'b', 'c'].map((password) => passwords.hash(password, asker)),
    passwords.matches('right', hash, asker),
    passwords.matches('wrong', hash, asker),
    passwords.matches('right', null, asker),
  ]);
  expect([queue.running, queue.waiting]).toEqual([2, 4]);
  expect((await all).slice(3)).toEqual([true, false, false]);
  expect([queue.running, queue.waiting]).toEqual([0, 0]);
});
