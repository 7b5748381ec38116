import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildDashboard } from '../../apps/dashboard/e2e/world/built.ts';
import { startChromium } from '../../apps/dashboard/e2e/world/chromium.ts';
import { startInstallation } from '../../apps/dashboard/e2e/world/installation.ts';
import { type Shared, sharedOptions, sharedVariable } from '../../apps/dashboard/e2e/world/shared.ts';
import startServices, { stop as stopServices } from './test-services.ts';

let running = new AsyncDisposableStack();

/** Starts each thing that browser tests share. This process has them, because a worker of Jest may end early. */
const starts: { readonly [Name in keyof Shared]: () => Promise<Shared[Name]> } = {
  async dashboard() {
    await buildDashboard();
    return true;
  },
  async browser() {
    const browser = await startChromium();
    running.defer(() => browser.stop());
    return browser.endpoint;
  },
  async installation() {
    return running.use(await startInstallation(sharedOptions)).place;
  },
};

/** Jest's global set-up of the browser tests: starts the services of all tests, and answers `askShared`. */
export default async function start(): Promise<void> {
  await startServices();
  running = new AsyncDisposableStack();
  running.defer(stopServices);
  const started = new Map<string, Promise<unknown>>();
  const server = createServer(({ url = '' }, response) => {
    const name = url.slice(1) as keyof Shared;
    if (!started.has(name)) started.set(name, starts[name]());
    started.get(name)!.then(
      (answer) => response.end(JSON.stringify(answer)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.env[sharedVariable] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  running.defer(() => {
    delete process.env[sharedVariable];
    server.closeAllConnections();
    server.close();
  });
}

/** Jest's tear-down: ends what was started. */
export async function stop(): Promise<void> {
  await running.disposeAsync();
}
