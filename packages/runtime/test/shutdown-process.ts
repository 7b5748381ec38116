import { createServer } from 'node:http';
import { createLog, onShutdown } from '@notify/runtime';

/** A process to be shut down by `shutdown.test.ts`; its argument says what goes wrong. */
const scenario = process.argv[2];
const log = createLog({ logLevel: 'info' }, 'scenario');
const server = createServer().listen(0, '127.0.0.1');

const stops: Record<string, () => Promise<void>> = {
  good: async () => {
    log.tell('step', { msg: 'stop called' });
    await new Promise((resolve) => server.close(resolve));
  },
  hangs: () => new Promise(() => undefined),
  rejects: () => Promise.reject(new Error('postgres://notify:hidden@db is away')),
};
const stop = stops[scenario ?? ''] ?? stops.good;
if (stop === undefined) throw new Error('unknown scenario');
const deadlineMs = scenario === 'hangs' ? Number(process.argv[3]) : 20_000;
onShutdown(log, deadlineMs, stop, scenario === 'hangs' ? { sameSignalMs: 0 } : {});

if (scenario === 'throws') setImmediate(() => fail('thrown'));
if (scenario === 'forgets') void Promise.reject(new Error('forgotten'));
server.once('listening', () => log.tell('step', { msg: 'up' }));

function fail(text: string): never {
  throw new Error(text);
}
