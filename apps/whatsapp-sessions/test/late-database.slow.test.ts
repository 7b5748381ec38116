import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startProcess, startQueue, testDatabase } from '@notify/testkit';
import { until } from './world.ts';

/** A Postgres that takes connections and is silent until `wakeUp()`. From then on it is the one at `url`. */
async function silentPostgres(url: string) {
  const behind = new URL(url);
  const sockets = new Set<Socket>();
  let isSilent = true;
  let given = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (isSilent) {
      socket.once('close', () => (given += 1));
      socket.resume();
      return;
    }
    const onward = connect(Number(behind.port), behind.hostname);
    sockets.add(onward);
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
    socket.pipe(onward).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  behind.port ||= '5432';
  const front = new URL(url);
  front.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: front.href,
    /** Connections that were given up while it was silent. */
    givenUp: () => given,
    wakeUp: () => void (isSilent = false),
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test('a process whose first connections to Postgres time out takes its partitions when Postgres answers', async () => {
  await using stack = new AsyncDisposableStack();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'notify-whatsapp-'));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const database = stack.use(await testDatabase());
  const { store } = stack.use(await startQueue(database.url));
  const postgres = await silentPostgres(database.url);
  stack.defer(() => postgres.close());
  const options = { databaseUrl: postgres.url, redisUrl: store.redisUrl, dataDir };
  const sessions = await startProcess('whatsapp-sessions', options);
  stack.defer(() => sessions.stop());
  const ended = sessions.ended().then(() => Promise.reject(new Error(sessions.lines.join('\n'))));
  await Promise.race([ended, until(async () => postgres.givenUp() > 2)]);
  postgres.wakeUp();
  const hasPartitions = async () => sessions.lines.some((line) => line.includes('"partitions taken"'));
  await expect(Promise.race([ended, until(hasPartitions)])).resolves.toBeUndefined();
});
