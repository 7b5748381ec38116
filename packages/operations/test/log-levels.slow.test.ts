import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  beat,
  listLogLevels,
  type LogLevelToTake,
  type ProcessFigures,
  resetLogLevels,
  setLogLevels,
} from '@notify/db/operations';
import { createLog, writtenLevels } from '@notify/runtime';
import { startProcess, type TestDatabase, testDatabase, until } from '@notify/testkit';
import { sql } from 'kysely';
import { heartbeatMs } from '../src/heartbeat.ts';
import { createLevelTaker } from '../src/log-levels.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

test('a change of levels is stored for its time, and replaces one of the same component and process', async () => {
  const { db } = database;
  const first = { process: null, component: 'dispatch', level: 'debug' };
  await setLogLevels(db, [first, { process: 'api', component: null, level: 'trace' }], 60);
  const ends = await setLogLevels(db, [{ ...first, level: 'trace' }], 600);
  expect(ends.getTime()).toBeGreaterThan(Date.now() + 500_000);
  expect(await listLogLevels(db)).toEqual([
    { process: 'api', component: null, level: 'trace', until: expect.any(Date) },
    { ...first, level: 'trace', until: ends },
  ]);
  expect(await resetLogLevels(db)).toBe(2);
  expect(await listLogLevels(db)).toEqual([]);
});

test('a later change for all components ends earlier ones of single components where it is in force', async () => {
  const { db } = database;
  const levelsOf = async (name: string): Promise<string[]> => {
    const figures = {} as ProcessFigures;
    const about = { name, version: '0', host: 'mars', pid: 1, health: null, startedAt: new Date(), figures };
    const { logLevels } = await beat(db, { id: randomUUID(), ...about });
    return logLevels.map(({ component, level }) => `${component ?? 'all'}=${level}`);
  };
  await setLogLevels(db, [{ process: null, component: 'dispatch', level: 'debug' }], 60);
  await setLogLevels(db, [{ process: 'api', component: 'mail', level: 'trace' }], 60);
  await setLogLevels(db, [{ process: 'api', component: null, level: 'warn' }], 60);
  expect(await levelsOf('api')).toEqual(['all=warn']);
  expect(await levelsOf('dispatch-worker')).toEqual(['dispatch=debug']);
  await setLogLevels(db, [{ process: 'api', component: 'mail', level: 'info' }], 60);
  expect(await levelsOf('api')).toEqual(['all=warn', 'mail=info']);
  const together = [null, 'queue'].map((component) => ({ process: null, component, level: 'error' }));
  await setLogLevels(db, together, 60);
  expect((await levelsOf('api')).toSorted()).toEqual(['all=error', 'queue=error']);
  await resetLogLevels(db);
  await db.deleteFrom('processes').execute();
});

test('a running process follows a change by its heartbeat, and returns when its time is over', async () => {
  const { db, url } = database;
  const dataDir = await mkdtemp(path.join(tmpdir(), 'notify-levels-'));
  const env = { LOG_LEVEL: 'info,api=warn' };
  const api = await startProcess('api', { databaseUrl: url, redisUrl: null, dataDir, env });
  const requests = (): number => api.lines.filter((line) => line.includes('"event":"request"')).length;
  const isLogged = async (): Promise<boolean> => {
    const before = requests();
    await fetch(`${api.url}/v1/nothing`, { headers: { 'X-Request-Id': 'levels-1' } });
    await delay(50);
    return requests() > before;
  };
  try {
    await api.ready();
    expect(await isLogged()).toBe(false);
    await setLogLevels(db, [{ process: 'api', component: 'api', level: 'info' }], 600);
    await setLogLevels(db, [{ process: 'webhook-worker', component: 'api', level: 'fatal' }], 600);
    await until(isLogged);
    expect(api.lines.at(-1)).toContain('"requestId":"levels-1"');
    await sql`update log_levels set until = now() where process = 'api'`.execute(db);
    const told = () => api.lines.filter((line) => line.includes('log-levels-changed'));
    await until(async () => told().length === 2);
    await until(async () => !(await isLogged()));
    expect(told().map((line) => JSON.parse(line).detail)).toEqual(['info,api=info', 'info,api=warn']);
    // Operators are promised 10 s.
    expect(heartbeatMs).toBeLessThan(10_000);
  } finally {
    await api.stop();
    await rm(dataDir, { recursive: true });
  }
});

test('a change ends at its time without another heartbeat, and unknown names are passed over', async () => {
  const lines: string[] = [];
  const log = createLog({ logLevel: 'info' }, 'api', { write: (line) => void lines.push(line) });
  const levels = createLevelTaker(log);
  const level = (component: string | null, name: string, ms: number): LogLevelToTake => {
    return { process: null, component, level: name, leftMs: ms };
  };
  levels.take([level('mail', 'debug', 60_000), level('api', 'trace', 300), level('later', 'debug', 60_000)]);
  expect(writtenLevels(log.levels)).toBe('info,mail=debug,api=trace');
  await until(() => Promise.resolve(writtenLevels(log.levels) === 'info,mail=debug'));
  levels.take([level('mail', 'debug', 60_000)]);
  levels.close();
  expect(lines).toHaveLength(2);
});

test('how long a level stays is told by the clock of the database, also if it is for ever', async () => {
  const { db } = database;
  await resetLogLevels(db);
  await setLogLevels(db, [{ process: null, component: null, level: 'debug' }], 60);
  await setLogLevels(db, [{ process: null, component: 'api', level: 'debug' }], 60);
  await sql`update log_levels set until = 'infinity' where component = 'api'`.execute(db);
  const { logLevels } = await beat(db, {
    id: randomUUID(),
    name: 'api',
    version: '1',
    host: 'a',
    pid: 1,
    health: null,
    startedAt: new Date(),
    figures: {} as ProcessFigures,
  });
  expect(logLevels.map(({ component }) => component)).toEqual([null, 'api']);
  expect(logLevels[0]!.leftMs).toBeGreaterThan(50_000);
  expect(logLevels[0]!.leftMs).toBeLessThanOrEqual(60_000);
  expect(logLevels[1]!.leftMs).toBeGreaterThan(300 * 86_400_000);
  expect((await listLogLevels(db)).map(({ until: ends }) => ends)).toEqual([expect.any(Date), null]);
  await resetLogLevels(db);
});
