import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findLeaks } from './secrets-in-logs.ts';

const secret = 'svc_live_a/b+c=d';
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'notify-leaks-'));
});
afterEach(() => rm(folder, { recursive: true }));

test.each([secret, encodeURIComponent(secret)])('finds %s in the middle of a log', async (written) => {
  await writeFile(path.join(folder, 'api-1.log'), `{"url":"/a?key=${written}&b"}\n`);
  await writeFile(path.join(folder, 'api-2.log'), '{"msg":"request"}\n');
  expect(await findLeaks(folder, ['another secret', secret])).toEqual([
    { file: 'api-1.log', secret: 'svc_live_a…' },
  ]);
});

test('refuses to search for an empty secret', async () => {
  await writeFile(path.join(folder, 'api-1.log'), '\n');
  await expect(findLeaks(folder, [''])).rejects.toThrow('too short');
});
