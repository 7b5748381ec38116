import { once } from 'node:events';
import { sendAll } from '../benchmarks/end-to-end.ts';
import { openEnvironment } from '../environment/environment.ts';
import { startProvider } from '../environment/peers.ts';
import { startService } from '../environment/service.ts';
import { makeLoadTenant } from '../environment/tenants.ts';
import { watch } from '../environment/watch.ts';
import { wrk } from '../load/wrk.ts';
import { startNginx } from '../peers/nginx.ts';

/*
 * One version of the service, for `main.ts`, which may put a copy of this file into an older version. It starts the
 * service and says `ready`. For each number that it is told, it makes one pass, of so many seconds of single sends
 * (`accept`) or so many messages (`end-to-end`), and says what a message cost. It ends when it is disconnected.
 */

/** CPU of a message in ms, by process. */
type Cost = Readonly<Record<string, number>>;

const kind = process.argv[2];
const nowhere = { gatewayUrl: 'http://127.0.0.1:9/send', webhookUrl: 'http://127.0.0.1:9/hook' };
const connections = 64;
/** They are not ours. */
const peers = ['provider', 'nginx'];

const environment = await openEnvironment([]);
const provider = await startProvider();
const nginx = await startNginx(environment.dir);
const service = await startService(environment, kind === 'accept' ? { workers: [] } : {});
let passes = 0;

async function accept(seconds: number): Promise<Cost> {
  const { key } = await makeLoadTenant(service.db, environment.secrets, nowhere);
  const watching = watch(service.processes);
  const { perSecond } = await wrk({
    url: service.apiUrl,
    script: 'send',
    args: [`pass${passes}`, '0', key],
    connections,
    seconds,
  });
  return costOf(watching.end().cpuMs, perSecond * seconds);
}

async function endToEnd(messages: number): Promise<Cost> {
  const { observed } = await sendAll(environment, service, provider, nginx, { messages, connections });
  return costOf(observed.cpuMs, messages);
}

function costOf(cpuMs: Cost, messages: number): Cost {
  const own = Object.entries(cpuMs).filter(([name]) => !peers.includes(name));
  return Object.fromEntries(own.map(([name, ms]) => [name, ms / messages]));
}

process.on('message', (amount: number) => {
  passes += 1;
  const pass = kind === 'accept' ? accept(amount) : endToEnd(amount);
  pass.then(
    (cost) => process.send?.(cost),
    (error: unknown) => {
      console.error(error);
      process.disconnect();
    },
  );
});
process.send?.('ready');
await once(process, 'disconnect');
await service[Symbol.asyncDispose]();
await nginx.stop();
await provider[Symbol.asyncDispose]();
await environment.close();
process.exit(0);
