import type { DatabaseServer } from '@notify/core';
import { askAll } from './ask-all.ts';
import type { ServerState } from './choose-server.ts';

const [silent, fitting, late] = ['silent', 'fitting', 'late'].map((host): DatabaseServer => ({
  host,
  port: 5432,
  name: `${host}:5432`,
})) as [DatabaseServer, DatabaseServer, DatabaseServer];
const primary: ServerState = { isStandby: false, isReadOnly: false, timeline: 1 };
const forever = new Promise<never>(() => undefined);

test('a server that never answers holds up nobody once another one fits', async () => {
  const answers = await askAll([silent, fitting], 'read-write', async (server) =>
    server === silent ? forever : primary,
  );
  expect(answers).toEqual([
    { server: silent, state: null },
    { server: fitting, state: primary },
  ]);
});

test('without one that fits, all are waited for, and a failure is an answer', async () => {
  const answered = Promise.withResolvers<ServerState>();
  const asked: string[] = [];
  const answering = askAll([fitting, silent, late], 'read-write', async (server) => {
    asked.push(server.host);
    if (server === late) return answered.promise;
    if (server === silent) throw new Error('refused');
    return { ...primary, isReadOnly: true };
  });
  expect(asked).toEqual(['fitting', 'silent', 'late']);
  answered.resolve(primary);
  expect(await answering).toEqual([
    { server: fitting, state: { ...primary, isReadOnly: true } },
    { server: silent, state: null, failure: 'refused' },
    { server: late, state: primary },
  ]);
});
