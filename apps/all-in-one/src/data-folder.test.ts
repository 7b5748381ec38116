import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isInUse, openDataFolder } from './data-folder.ts';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(path.join(tmpdir(), 'notify-data-'));
});
afterEach(() => rm(parent, { recursive: true }));

const modeOf = async (folder: string): Promise<number> => (await stat(folder)).mode & 0o777;

test('a new folder is for its owner only', async () => {
  const folder = path.join(parent, 'not', 'there', 'yet');
  const held = await openDataFolder(folder);
  expect(await modeOf(folder)).toBe(0o700);
  await held.release();
});

test.each([0o755, 0o777, 0o770, 0o750, 0o701])('a folder open to others (%o) is closed', async (mode) => {
  await chmod(parent, mode);
  const held = await openDataFolder(parent);
  expect(await modeOf(parent)).toBe(0o700);
  await held.release();
});

test('a folder is in use as long as a process holds it', async () => {
  expect(await isInUse(parent)).toBe(false);
  const held = await openDataFolder(parent);
  expect(await isInUse(parent)).toBe(true);
  await held.release();
  expect(await isInUse(parent)).toBe(false);
});

test('a folder that a group may only pass through stays', async () => {
  await chmod(parent, 0o710);
  const held = await openDataFolder(parent);
  expect(await modeOf(parent)).toBe(0o710);
  await held.release();
});
