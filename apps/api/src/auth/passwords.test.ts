import { createAllowance } from '@notify/runtime';
import { createPasswords } from './passwords.ts';

test('no more jobs run at once than are allowed, and those that wait all come to their end', async () => {
  const jobs = createAllowance(2);
  const passwords = await createPasswords(4, jobs);
  const hash = await passwords.hash('right');
  const all = Promise.all([
    ...['a', 'b', 'c'].map((password) => passwords.hash(password)),
    passwords.matches('right', hash),
    passwords.matches('wrong', hash),
    passwords.matches('right', null),
  ]);
  expect([jobs.inUse, jobs.waiting]).toEqual([2, 4]);
  expect((await all).slice(3)).toEqual([true, false, false]);
  expect([jobs.inUse, jobs.waiting]).toEqual([0, 0]);
});

test('a job that fails gives its permit back', async () => {
  const jobs = createAllowance(1);
  const passwords = await createPasswords(4, jobs);
  await expect(passwords.hash(7 as never)).rejects.toThrow('must be a string');
  expect(jobs.inUse).toBe(0);
});
