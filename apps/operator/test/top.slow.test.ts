import { hostname } from 'node:os';
import { until } from '@notify/testkit';
import { sql } from 'kysely';
import { openScenes, type Scenes } from './scenes.ts';

let scenes: Scenes;

beforeAll(async () => {
  scenes = await openScenes();
});
afterAll(() => scenes?.[Symbol.asyncDispose]());

/** Resolves once a frame matches. */
async function frame(wanted: RegExp): Promise<string> {
  let text = '';
  await until(async () => wanted.test((text = await scenes.notify('top', '--once'))));
  return text;
}

test('one frame of running processes', async () => {
  await scenes.paced();
  const text = await frame(/^Newsletter .* [12]\d {2}/m);
  expect(text).toMatch(/^notify top {3}\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ {3}sampled [\d.]+ s ago$/m);
  expect(text).toMatch(/^messages +[12]\d +/m);
  expect(text).toMatch(/^Ada +ten_\S+ +[12]\d/m);
  const host = hostname().slice(0, 8);
  for (const { name, process } of [scenes.worker, scenes.webhookWorker])
    expect(text).toMatch(new RegExp(`^${name} +${host}\\S* +${process.pid} 0\\.1\\.0 .* MB$`, 'm'));
  expect(text).toMatch(/^api +/m);
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/\u001b/);
});

test('the same as JSON', async () => {
  const { processes, sample, names } = JSON.parse(await scenes.notify('top', '--json'));
  expect(processes.map(({ name }: { name: string }) => name)).toEqual([
    'api',
    'dispatch-worker',
    'webhook-worker',
  ]);
  expect(sample.figures.messages.waiting.count).toBeGreaterThan(0);
  expect(Object.values(names)).toContain('Ada');
});

test('a dispatch worker that is gone is missed', async () => {
  scenes.worker.process.kill('SIGKILL');
  await scenes.worker.ended();
  await scenes.age({ seenSeconds: 20 });
  await sql`update samples set figures = jsonb_set(figures, '{takenAt}', to_jsonb(now() - interval '40 s'))`.execute(
    scenes.db,
  );
  const text = await scenes.notify('top', '--once');
  expect(text).toMatch(/sampled 4\d s ago; no dispatch worker is alive$/m);
  expect(text).toMatch(/^dispatch-worker .* 2\d s +ended$/m);
});
