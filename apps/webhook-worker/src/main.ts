import { createLog, loadProcessSettings, onShutdown, shutdownMs, startProcess } from '@notify/runtime';
import manifest from '../package.json' with { type: 'json' };
import { startWebhookWorker } from './worker.ts';

// The webhook worker: posts the waiting deliveries of webhooks until it is told to end.
await startProcess('webhook-worker', async () => {
  const settings = await loadProcessSettings();
  const log = createLog(settings, 'webhook-worker');
  const worker = await startWebhookWorker(settings, log, manifest.version);
  onShutdown(log, shutdownMs, () => worker.close());
  log.tell('taking-turns', { healthPort: worker.healthPort });
});
