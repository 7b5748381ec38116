import { createPasswordQueue } from './password-queue.ts';
import { createPasswords, hashPassword, passwordMatches } from './passwords.ts';

const asker = { address: '192.0.2.1', account: 'a', known: false, gone: new AbortController().signal };

test('every job takes its turn in the queue', async () => {
  const queue = createPasswordQueue({
    maxRunning: 2,
    maxWaiting: 9,
    maxWaitingPerAccount: 9,
    maxWaitMs: 60_000,
  });
  const passwords = await createPasswords(4, queue);
  const hash = await hashPassword(passwords, 'right', asker);
  const all = Promise.all([
    ...['a', 'b', 'c'].map((password) => hashPassword(passwords, password, asker)),
    passwordMatches(passwords, 'right', hash, asker),
    passwordMatches(passwords, 'wrong', hash, asker),
    passwordMatches(passwords, 'right', null, asker),
  ]);
  expect([queue.running, queue.waiting]).toEqual([2, 4]);
  expect((await all).slice(3)).toEqual([true, false, false]);
  expect([queue.running, queue.waiting]).toEqual([0, 0]);
});
