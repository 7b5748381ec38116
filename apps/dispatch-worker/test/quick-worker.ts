import { flushCompileCache } from 'node:module';
import { type Adapter, adapters } from '@notify/channels';
import { createLog, loadProcessSettings, onShutdown, startProcess } from '@notify/runtime';
import { startDispatchWorker } from '../src/worker.ts';

/*
 * The dispatch worker, with gateways whose calls take three seconds at most, so that its leases end soon: `http-sms`, which
 * reports back, `silent-sms`, which does not, and `safe-sms`, which does not either but recognises repeats.
 */
const callDeadlineMs = 3_000;
const silent = { callDeadlineMs, reportsDelivery: false, callbacks: false };
const gateways: readonly Adapter[] = [
  gateway('http-sms', { callDeadlineMs }),
  gateway('silent-sms', silent),
  gateway('safe-sms', { ...silent, repeatIsSafe: true }),
];

function gateway(id: string, changes: Partial<Adapter['capabilities']>): Adapter {
  const real = adapters.get('http-sms')!;
  return { ...real, id, capabilities: { ...real.capabilities, ...changes } };
}

await startProcess('dispatch-worker', async () => {
  const settings = await loadProcessSettings();
  const log = createLog(settings, 'dispatch-worker');
  const worker = await startDispatchWorker(
    settings,
    log,
    '1',
    new Map(gateways.map((each) => [each.id, each])),
  );
  onShutdown(log, 20_000, () => worker.close());
  flushCompileCache();
});
