import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { showSteps } from './progress.mjs';

const root = path.resolve(import.meta.dirname, '..');

describe('the steps of the first start', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function open(stream: { isTTY?: boolean; columns?: number }) {
    const written: string[] = [];
    return { written, steps: showSteps({ ...stream, write: (text: string) => written.push(text) }) };
  }

  test('are written anew on a terminal, with how far they are and the seconds', () => {
    const { written, steps } = open({ isTTY: true, columns: 80 });
    let there = 0;
    steps.begin('installing 9 packages', () => `installing packages: ${there} of 9`);
    there = 4;
    jest.advanceTimersByTime(2_000);
    expect(written.at(-1)).toBe('\r\u001b[Kinstalling packages: 4 of 9 (2 s)');
    const before = written.length;
    jest.advanceTimersByTime(5_000);
    expect(written.length - before).toBeGreaterThanOrEqual(5);
    steps.note('a warning');
    expect(written.slice(-2)).toEqual([
      '\r\u001b[Ka warning\n',
      '\r\u001b[Kinstalling packages: 4 of 9 (7 s)',
    ]);
    steps.end('installed 9 packages');
    expect(written.slice(-2)).toEqual(['\r\u001b[K', 'installed 9 packages\n']);
    const ended = written.length;
    jest.advanceTimersByTime(5_000);
    expect(written).toHaveLength(ended);
  });

  test('are never longer than the terminal is wide, so that they can be written anew', () => {
    const { written, steps } = open({ isTTY: true, columns: 20 });
    steps.begin('building the dashboard of this tree');
    expect(written.at(-1)).toBe('\r\u001b[Kbuilding the dashbo');
    steps.end();
    // A terminal that does not know its width says 0.
    const unknown = open({ isTTY: true, columns: 0 });
    unknown.steps.begin('building the dashboard of this tree');
    expect(unknown.written.at(-1)).toBe('\r\u001b[Kbuilding the dashboard of this tree (0 s)');
    unknown.steps.end();
  });

  test('are one line each elsewhere', () => {
    const { written, steps } = open({});
    steps.begin('building the dashboard');
    jest.advanceTimersByTime(60_000);
    steps.note('a warning');
    steps.end('built the dashboard in 60 s');
    expect(written.join('')).toBe('building the dashboard\na warning\nbuilt the dashboard in 60 s\n');
  });
});

describe('node tools/prepare.mjs', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'notify-prepare-'));
    mkdirSync(path.join(folder, 'tools'));
    for (const name of ['prepare.mjs', 'progress.mjs'])
      copyFileSync(path.join(root, 'tools', name), path.join(folder, 'tools', name));
    writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify({ packages: locked }));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const locked = {
    '': {},
    'packages/own': {},
    'node_modules/own': { link: true },
    'node_modules/a': { integrity: 'sha512-a' },
    'node_modules/a/node_modules/b': { integrity: 'sha512-b' },
    'node_modules/for-nobody': { integrity: 'sha512-c', optional: true, os: ['plan9'] },
    'node_modules/for-no-libc': {
      integrity: 'sha512-e',
      optional: true,
      os: [process.platform],
      libc: 'bionic',
    },
    'node_modules/for-here': { integrity: 'sha512-d', optional: true, os: ['!plan9'], cpu: [process.arch] },
  };

  /** An npm that ends with this program. */
  function prepare(npm: string) {
    const program = path.join(folder, 'npm.cjs');
    writeFileSync(program, npm);
    const ran = spawnSync(process.execPath, [path.join(folder, 'tools/prepare.mjs')], {
      env: { ...process.env, npm_execpath: program },
      encoding: 'utf8',
    });
    return { code: ran.status, out: ran.stdout, error: ran.stderr };
  }

  const installing = `
    const fs = require('node:fs');
    if (process.argv[2] !== 'ci') process.exit(3);
    for (const at of ['a', 'a/node_modules/b', 'for-here']) {
      fs.mkdirSync('node_modules/' + at, { recursive: true });
      fs.writeFileSync('node_modules/' + at + '/package.json', '{}');
    }
    fs.writeFileSync('node_modules/.package-lock.json', fs.readFileSync('package-lock.json'));`;

  test('says in one line what it installs and in one what it did, and then has nothing to do or say', () => {
    expect(prepare(installing)).toEqual({
      code: 0,
      out: expect.stringMatching(
        /^installing 3 packages \(only the first time\)\ninstalled 3 packages in \d+ s\n$/,
      ),
      error: '',
    });
    expect(prepare('process.exit(9)')).toEqual({ code: 0, out: '', error: '' });
  });

  test('fails with npm, and claims nothing', () => {
    expect(prepare('process.exit(9)')).toEqual({
      code: 1,
      out: 'installing 3 packages (only the first time)\n',
      error: 'npm ci did not finish (exit code 9); run it again\n',
    });
  });
});
