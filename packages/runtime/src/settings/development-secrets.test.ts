import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { developmentSecrets } from './development-secrets.ts';

let parent: string;

beforeEach(async () => {
  parent = await mkdtemp(path.join(tmpdir(), 'notify-secrets-'));
});
afterEach(() => rm(parent, { recursive: true }));

test('secrets are made once, for the owner only, and read from then on', async () => {
  const dataDir = path.join(parent, 'not', 'there', 'yet');
  const made = await developmentSecrets(dataDir);
  expect(await developmentSecrets(dataDir)).toEqual(made);
  const { mode } = await stat(path.join(dataDir, 'secrets.json'));
  expect(mode & 0o777).toBe(0o600);
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  expect(made.MASTER_KEYS).toMatch(/^1:[A-Za-z0-9+/]{43}=$/);
  expect(made.JWT_SECRETS).not.toBe(made.MASTER_KEYS);
});

test('concurrent processes get the same secrets, and no draft stays behind', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => developmentSecrets(parent)));
  expect(new Set(all.map((secrets) => JSON.stringify(secrets))).size).toBe(1);
  expect(await readdir(parent)).toEqual(['secrets.json']);
});

test('a file that another process put there meanwhile is kept', async () => {
  const others = { MASTER_KEYS: '1:other', JWT_SECRETS: '1:other' };
  let overtaken = 0;
  for (let round = 0; round < 50; round += 1) {
    const dataDir = path.join(parent, String(round));
    mkdirSync(dataDir);
    const made = developmentSecrets(dataDir);
    while (readdirSync(dataDir).length === 0) await new Promise(setImmediate);
    const isFirst = createIfMissing(path.join(dataDir, 'secrets.json'), JSON.stringify(others));
    if (isFirst) overtaken += 1;
    expect(isEqual(await made, others)).toBe(isFirst);
  }
  expect(overtaken).toBeGreaterThan(0);
});

test.each(['', '{"MASTER_KEYS":"1:x"', '{"MASTER_KEYS":"1:x"}', 'null'])(
  'a file that holds %j is reported and left as it is',
  async (content) => {
    const file = path.join(parent, 'secrets.json');
    await writeFile(file, content);
    await expect(developmentSecrets(parent)).rejects.toThrow(`${file} is damaged`);
  },
);

function createIfMissing(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

function isEqual(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
