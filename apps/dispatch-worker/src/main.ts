import { createLog, loadProcessSettings, onShutdown, startProcess } from '@notify/runtime';
import manifest from '../package.json' with { type: 'json' };
import { startDispatchWorker } from './worker.ts';

/** Longer than any call to a provider may take. */
const shutdownMs = 40_000;

// The dispatch worker: sends what channel accounts have waiting, until it is told to end.
await startProcess('dispatch-worker', async () => {
  const settings = await loadProcessSettings();
  const log = createLog(settings, 'dispatch-worker');
  const worker = await startDispatchWorker(settings, log, manifest.version);
  onShutdown(log, shutdownMs, () => worker.close());
  log.info({ healthPort: worker.healthPort }, 'taking turns');
});
