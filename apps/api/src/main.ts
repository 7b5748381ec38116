import { createLog, loadProcessSettings, onShutdown, shutdownMs, startProcess } from '@notify/runtime';
import manifest from '../package.json' with { type: 'json' };
import { startApi } from './start.ts';

// The api process. It answers requests until it is told to stop.
await startProcess('api', async () => {
  const settings = await loadProcessSettings();
  const log = createLog(settings, 'api');
  const api = await startApi(settings, log, manifest.version);
  onShutdown(log, settings.drainMs + shutdownMs, () => api.close());
  log.tell('listening', { host: settings.host, port: api.port, healthPort: api.healthPort });
});
