import { createLog, loadProcessSettings, onShutdown, shutdownMs, startProcess } from '@notify/runtime';
import manifest from '../package.json' with { type: 'json' };
import { startDispatchWorker } from './worker.ts';

// The dispatch worker: sends the waiting messages of channel accounts until it is told to end.
await startProcess('dispatch-worker', async () => {
  const settings = await loadProcessSettings();
  const log = createLog(settings, 'dispatch-worker');
  const worker = await startDispatchWorker(settings, log, manifest.version);
  onShutdown(log, shutdownMs, () => worker.close());
  log.tell('taking-turns', { healthPort: worker.healthPort });
});
