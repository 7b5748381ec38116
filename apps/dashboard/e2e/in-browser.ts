import { chromiumMissing } from './chromium.ts';

const missing = chromiumMissing();
if (missing !== null && process.env.CI !== undefined)
  throw new Error(`in CI no test is skipped, and ${missing}`);

/** `describe`, where there is a browser; elsewhere it says that there is none. In CI that is a failure. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (missing !== null) process.stderr.write(`skipped, no browser can run here: ${missing}\n`);
  (missing === null ? describe : describe.skip)(name, tests);
}
