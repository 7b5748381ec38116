import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Nothing of the browser's own that would go out or wait for a display. */
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const executable = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Why no browser can run here, or null when one can. */
export function chromiumMissing(): string | null {
  if (existsSync(executable)) return null;
  return `${executable} not found: install Debian's package chromium, or set CHROMIUM_PATH`;
}

/** Starts Debian's Chromium. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: executable, args: flags });
}
