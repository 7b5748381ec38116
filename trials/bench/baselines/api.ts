import { createLog, loadSettings, startProcess } from '@notify/runtime';
import { startApi } from '../../../apps/api/src/start.ts';
import { constant } from './constant.ts';
import { grouped } from './grouped.ts';
import { naive } from './naive.ts';

/*
 * Our api with accept and look-up replaced, in a process of its own: `node api.ts constant|grouped|naive`. Key check, rate
 * limit, validation, log and the rest of HTTP are the same code. It tells its parent when it listens.
 */
const baselines = { constant, grouped, naive };

await startProcess('baseline', async () => {
  const settings = loadSettings(process.env);
  const baseline = baselines[process.argv[2] as keyof typeof baselines];
  const api = await startApi(settings, createLog(settings, 'baseline'), 'bench', baseline);
  process.once('SIGTERM', () => void api.close().then(() => process.exit(0)));
  process.send?.({ port: api.port });
});
