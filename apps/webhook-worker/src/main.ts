import { createLog, loadProcessSettings, onShutdown, startProcess } from '@notify/runtime';
import manifest from '../package.json' with { type: 'json' };
import { startWebhookWorker } from './worker.ts';

/** Longer than the 10 s that a post may take. */
const shutdownMs = 20_000;

// The webhook worker: posts what webhooks have coming to them, until it is told to end.
await startProcess('webhook-worker', async () => {
  const settings = await loadProcessSettings();
  const log = createLog(settings, 'webhook-worker');
  const worker = await startWebhookWorker(settings, log, manifest.version);
  onShutdown(log, shutdownMs, () => worker.close());
  log.info({ healthPort: worker.healthPort }, 'taking turns');
});
