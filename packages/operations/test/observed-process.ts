import { openDb } from '@notify/db/connection';
import { demandFit } from '@notify/db/maintenance';
import { createLog, loadProcessSettings, onShutdown, startProcess } from '@notify/runtime';
import { metrics } from '@notify/telemetry';
import type { ProcessName } from '@notify/core';
import { observe } from '../src/observe.ts';

/*
 * A process that does nothing but show itself to operators, under the name in OBSERVED_NAME. To each message of its
 * parent it answers with its metrics. After `hold`, its own pool has no connection left.
 */
const name = process.env['OBSERVED_NAME'] as ProcessName;

const forever = (): Promise<void> => new Promise(() => undefined);

await startProcess(name, async () => {
  const settings = await loadProcessSettings();
  const log = createLog(settings, name);
  const db = openDb(settings.databaseUrl, {
    maxConnections: 2,
    connectTimeoutMs: 1_000,
    queryTimeoutMs: 3_000,
  });
  const observed = await observe({
    name,
    version: '1.2.3',
    settings,
    log,
    checks: { postgres: () => demandFit(db) },
    required: ['postgres'],
  });
  process.on('message', (wish) => {
    if (wish === 'hold') for (let held = 0; held < 2; held += 1) void db.connection().execute(forever);
    else void metrics.registry.metrics().then((text) => process.send?.(text));
  });
  onShutdown(log, 5_000, async () => {
    await observed.close();
    await db.destroy();
  });
});
