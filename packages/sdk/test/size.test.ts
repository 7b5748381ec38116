import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';

const maxBytes = 15_000;

test('everything is under 15 KB, minified and gzipped', async () => {
  const bundle = path.join(import.meta.dirname, 'bundle.ts');
  const { stdout: code } = await promisify(execFile)(process.execPath, [bundle]);
  const bytes = gzipSync(code, { level: 9 }).length;
  process.stdout.write(`@notify/sdk: ${bytes} bytes minified and gzipped, ${code.length} before gzip\n`);
  // The bundle is whole: the first and the last of the exports.
  expect(code).toMatch(/\bas ApiError\b/);
  expect(code).toMatch(/\bas webhooks\b/);
  expect(bytes).toBeLessThan(maxBytes);
});
