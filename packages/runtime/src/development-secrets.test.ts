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
  expect(made.MASTER_KEYS).toMatch(/^1:[A-Za-z0-9+/]{43}=$/);
  expect(made.JWT_SECRETS).not.toBe(made.MASTER_KEYS);
});

test('all who race to make them get the same ones, and no draft stays behind', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => developmentSecrets(parent)));
  expect(new Set(all.map((secrets) => JSON.stringify(secrets))).size).toBe(1);
  expect(await readdir(parent)).toEqual(['secrets.json']);
});

test.each(['', '{"MASTER_KEYS":"1:x"', '{"MASTER_KEYS":"1:x"}', 'null'])(
  'a file that holds %j is reported and left as it is',
  async (content) => {
    const file = path.join(parent, 'secrets.json');
    await writeFile(file, content);
    await expect(developmentSecrets(parent)).rejects.toThrow(`${file} is damaged`);
  },
);
