import { demandProgram } from '@notify/testkit';
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

/** Starts Debian's Chromium, or the browser that `CHROMIUM_PATH` names. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: demandProgram('chromium'), args: flags });
}
