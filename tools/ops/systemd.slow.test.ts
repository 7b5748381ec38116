import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { processNames } from '@notify/core';
import { demandProgram, testWith } from '@notify/testkit/programs';
import { type Unit, readUnits } from '../image/units.ts';

const root = path.resolve(import.meta.dirname, '../..');
const units = readUnits();
const target = readFileSync(path.join(root, 'ops/systemd/notify.target'), 'utf8');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'notify-units-'));
  writeFileSync(path.join(folder, 'notify.target'), target);
  // Templates as an instance, and Node where it is here.
  for (const unit of units)
    writeFileSync(placeOf(unit), unit.text.replace('/usr/bin/node', process.execPath));
});
afterAll(() => rmSync(folder, { recursive: true }));

const placeOf = ({ name }: Unit): string => path.join(folder, name.replace('@', '@3000'));

/** What `systemd-analyze` prints. It is empty after `verify` if everything is known and exists. */
function analyze(...words: readonly string[]): string {
  const env = { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` };
  const { error, stdout, stderr } = spawnSync(demandProgram('systemd-analyze'), words, {
    env,
    encoding: 'utf8',
  });
  if (error !== undefined) throw error;
  return stdout + stderr;
}

test('every process has a unit, and so have the migrations', () => {
  const expected = [...processNames.map((name) => `notify-${name}@.service`), 'notify-migrate.service'];
  expect(units.map(({ name }) => name).toSorted()).toEqual(expected.toSorted());
});

testWith('systemd-analyze')('systemd knows every word of the units', () => {
  const files = [...units.map(placeOf), path.join(folder, 'notify.target')];
  expect(analyze('verify', '--man=no', ...files)).toBe('');
  const wrong = path.join(folder, 'wrong.service');
  writeFileSync(wrong, `${units[0]!.text}\n[Service]\nProtectEverything=yes\n`);
  expect(analyze('verify', '--man=no', wrong)).toContain('ProtectEverything');
});

testWith('systemd-analyze').each(units.map((unit) => [unit.name, unit] as const))(
  '%s may do little',
  (_, unit) => {
    const report = analyze('security', '--offline=true', '--no-pager', placeOf(unit));
    const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(report)?.[1]);
    expect(exposure).toBeLessThan(2);
    expect(unit.text).not.toMatch(/^MemoryDenyWriteExecute/m);
  },
);

test('an instance of the api is its port, that of a worker its health port', () => {
  for (const unit of units.filter(({ name }) => name.includes('@'))) {
    const { PORT, HEALTH_PORT } = unit.environment('3000');
    const ports = unit.name === 'notify-api@.service' ? ['3000', '13000'] : [undefined, '3000'];
    expect([unit.name, PORT, HEALTH_PORT]).toEqual([unit.name, ...ports]);
  }
});

test('a process has time to end: 10 s, and an api DRAIN_SECONDS more', () => {
  for (const unit of units.filter(({ name }) => name.includes('@'))) {
    const stop = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit.text)?.[1]);
    expect(stop).toBeGreaterThan(10 + Number(unit.environment('1').DRAIN_SECONDS ?? 0));
    expect(unit.text).toMatch(/^Restart=always$/m);
  }
});
