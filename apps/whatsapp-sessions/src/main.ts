import { createLog, loadProcessSettings, onShutdown, shutdownMs, startProcess } from '@notify/runtime';
import manifest from '../package.json' with { type: 'json' };
import { startWhatsappSessions } from './sessions.ts';

// whatsapp-sessions: holds the connections of linked WhatsApp devices and sends over them, until it is told to stop.
await startProcess('whatsapp-sessions', async () => {
  const settings = await loadProcessSettings();
  const log = createLog(settings, 'whatsapp-sessions');
  const sessions = await startWhatsappSessions(settings, log, manifest.version);
  onShutdown(log, shutdownMs, () => sessions.close());
  log.tell('taking-turns', { healthPort: sessions.healthPort });
});
