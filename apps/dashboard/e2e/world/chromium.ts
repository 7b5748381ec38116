import { demandProgram } from '@notify/testkit';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

/**
 * The first are those that Playwright turns off, because only the last list counts. Then two pages that Chromium loads for the
 * address bar of each window, which cost more CPU than most of our pages, and a process in reserve for each window.
 */
const featuresOff = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'BlockOriginHeaderModificationOnRedirect',
  'DestroyProfileOnBrowserClose',
  'DialMediaRouteProvider',
  'GlobalMediaControls',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'Translate',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
  'SpareRendererForSitePerProcess',
];

/** Nothing of the browser's own that would go out, wait for a display, or cost what no test looks at. */
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${featuresOff.join(',')}`,
];

/** Debian's Chromium, or the browser that `CHROMIUM_PATH` names. */
function options(): LaunchOptions {
  return { executablePath: demandProgram('chromium'), args: flags };
}

/** Starts a browser for this process alone. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch(options());
}

/** Starts a browser that several processes connect to. It ends with this one, which goes on to end at SIGTERM and SIGHUP. */
export async function startChromium(): Promise<{ readonly endpoint: string; stop(): Promise<void> }> {
  const server = await chromium.launchServer({
    ...options(),
    host: '127.0.0.1',
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  return { endpoint: server.wsEndpoint(), stop: () => server.close() };
}

/** Connects to such a browser. Closing what this returns closes its own pages only. */
export function connectChromium(endpoint: string): Promise<Browser> {
  return chromium.connect(endpoint);
}
