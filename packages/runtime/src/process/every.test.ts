import { Writable } from 'node:stream';
import { createLog } from '../logs/log.ts';
import { every } from './every.ts';

/** Runs a task until it has run as often as there are `ends`, each of which says whether that run fails. */
async function runEach(ends: readonly ('fails' | 'succeeds')[]): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString('utf8')) as Record<string, unknown>);
      done();
    },
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  let runs = 0;
  const task = every(
    'sweep',
    1,
    async () => {
      const end = ends[runs];
      runs += 1;
      if (runs > ends.length) return resolve();
      if (end === 'fails') throw new Error(`run ${runs}`);
    },
    createLog({ logLevel: 'info' }, 'api', destination),
  );
  await promise;
  await task.close();
  return lines;
}

test('a failing task runs on, and the log names it once, and once when it succeeds again', async () => {
  const lines = await runEach(['succeeds', 'fails', 'fails', 'fails', 'succeeds', 'succeeds', 'fails']);
  expect(lines).toMatchObject([
    { event: 'periodic-task-failed', task: 'sweep', err: { message: 'run 2' } },
    { event: 'periodic-task-succeeds', task: 'sweep' },
    { event: 'periodic-task-failed', task: 'sweep', err: { message: 'run 7' } },
    { event: 'periodic-task-succeeds', task: 'sweep' },
  ]);
});

test('a task that never fails is not in the log', async () => {
  expect(await runEach(['succeeds', 'succeeds'])).toEqual([]);
});
