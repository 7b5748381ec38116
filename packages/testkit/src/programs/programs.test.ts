import { jest } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { demandProgram, findProgram, hasPrograms, missingPrograms, testWith } from './programs.ts';

let folder: string;
let before: NodeJS.ProcessEnv;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'notify-programs-'));
  before = process.env;
});
afterEach(() => {
  process.env = before;
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** A program in the folder that does nothing. Returns its file. */
function install(name: string, status = 0, mode = 0o755): string {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\nexit ${status}\n`, { mode });
  return file;
}

const bare = (): NodeJS.ProcessEnv => ({ PATH: folder, BARE_MACHINE: 'true' });

test('a program is the first of its name in the PATH that may be run', () => {
  expect(findProgram('php', bare())).toBeNull();
  install('php', 0, 0o644);
  expect(findProgram('php', bare())).toBeNull();
  const file = install('curl');
  expect(findProgram('curl', { ...bare(), PATH: `/nowhere::${folder}` })).toBe(file);
  expect(findProgram('curl', {})).toBeNull();
});

test('a program outside the PATH is found where Debian installs it, unless the machine is to look bare', () => {
  const file = '/usr/sbin/haproxy';
  expect(findProgram('haproxy', { PATH: folder })).toBe(existsSync(file) ? file : null);
  expect(findProgram('haproxy', bare())).toBeNull();
  const own = install('haproxy');
  expect(findProgram('haproxy', { PATH: folder })).toBe(own);
});

test('Valkey does for Redis', () => {
  const valkey = install('valkey-server');
  expect(findProgram('redis-server', bare())).toBe(valkey);
  const redis = install('redis-server');
  expect(findProgram('redis-server', bare())).toBe(redis);
});

test('CHROMIUM_PATH names another browser, and only that one counts', () => {
  install('chromium');
  const other = install('chrome');
  expect(findProgram('chromium', { ...bare(), CHROMIUM_PATH: other })).toBe(other);
  expect(findProgram('chromium', { ...bare(), CHROMIUM_PATH: '/nowhere/chrome' })).toBeNull();
});

test('Ruby without WEBrick is not installed', () => {
  install('ruby', 1);
  expect(findProgram('ruby', bare())).toBeNull();
  expect(missingPrograms(['ruby'], bare())).toBe("ruby not found: install Debian's ruby ruby-webrick");
  const file = install('ruby', 0);
  expect(findProgram('ruby', bare())).toBe(file);
});

test('one line names what is missing, and each package once', () => {
  install('curl');
  expect(missingPrograms(['curl'], bare())).toBeNull();
  expect(missingPrograms(['curl', 'prometheus', 'promtool', 'psql'], bare())).toBe(
    "prometheus, promtool, psql not found: install Debian's prometheus postgresql-client",
  );
});

test('who demands a program gets its file, or an error with that line', () => {
  process.env = bare();
  expect(() => demandProgram('php')).toThrow("php not found: install Debian's php-cli");
  const file = install('php');
  expect(demandProgram('php')).toBe(file);
});

test('tests with all their programs run, and others are skipped with a line on stderr', () => {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  process.env = bare();
  install('php');
  expect(testWith('php')).toBe(test);
  expect(write).not.toHaveBeenCalled();
  expect(testWith('php', 'go')).toBe(test.skip);
  const file = path.relative(process.cwd(), import.meta.filename);
  expect(write.mock.calls).toEqual([[`skips tests: ${file}: go not found: install Debian's golang-go\n`]]);
});

test('in CI a missing program is an error, unless the machine is to look bare', () => {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  process.env = { ...bare(), CI: 'true' };
  expect(hasPrograms('go')).toBe(false);
  expect(write).toHaveBeenCalledTimes(1);
  process.env = { PATH: folder, CI: 'true' };
  expect(() => hasPrograms('go')).toThrow(
    "in CI no test is skipped, and go not found: install Debian's golang-go",
  );
});
