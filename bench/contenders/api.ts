import { createLog, loadSettings, startProcess } from '@notify/runtime';
import { startApi } from '../../apps/api/src/start.ts';
import { constant } from './constant.ts';
import { naive } from './naive.ts';

/*
 * Our api with another heart, in a process of its own: `node api.ts constant|naive`. Key check, rate limit, validation,
 * log and everything else of HTTP are the same code. Tells its parent when it listens.
 */
const hearts = { constant, naive };

await startProcess('contender', async () => {
  const settings = loadSettings(process.env);
  const heart = hearts[process.argv[2] as keyof typeof hearts];
  const api = await startApi(settings, createLog(settings, 'contender'), 'bench', heart);
  process.once('SIGTERM', () => void api.close().then(() => process.exit(0)));
  process.send?.({ port: api.port });
});
