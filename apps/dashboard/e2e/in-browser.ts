import { jest } from '@jest/globals';
import { chromiumMissing } from './chromium.ts';

/** A browser test has many steps, and each may be slow on a machine that has other things to do; this ends one that hangs. */
const hangsAfterMs = 180_000;
jest.setTimeout(hangsAfterMs);

const missing = chromiumMissing();
if (missing !== null && process.env.CI !== undefined)
  throw new Error(`in CI no test is skipped, and ${missing}`);

/** `describe`, where there is a browser; elsewhere it says that there is none. In CI that is a failure. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (missing !== null) process.stderr.write(`skipped, no browser can run here: ${missing}\n`);
  (missing === null ? describe : describe.skip)(name, tests);
}
