import { connect } from 'node:net';
import { type Hostile, hostileRequests } from './hostile-requests.ts';

/*
 * Floods the api with hostile requests from its own process: `node flood.ts <port> <kind> <target>
 * <connections> <seconds> <patienceMs> <pauseMs>`. It keeps that many requests in flight, each on its own
 * connection, and closes a connection when the answer begins or the patience ends. It tells its parent that it is
 * ready, waits for any message, floods, and reports the number of answers by status.
 */
const [port = '', kind = '', target = '', connections = '', seconds = '', patienceMs = '', pauseMs = ''] =
  process.argv.slice(2);
const make = hostileRequests[kind as Hostile];
const fixed = kind === 'login' ? null : make(target);
const statuses: Record<string, number> = {};
let endsAt = 0;

function send(): Promise<void> {
  const patience = Math.min(Number(patienceMs), Math.max(0, endsAt - performance.now()));
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1');
    const leave = setTimeout(() => socket.destroy(), patience);
    socket.once('data', (answer: Buffer) => {
      const status = answer.toString('latin1', 9, 12);
      statuses[status] = (statuses[status] ?? 0) + 1;
      socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearTimeout(leave);
      resolve();
    });
    socket.write(fixed ?? make(target));
  });
}

async function sendInTurn(): Promise<void> {
  while (performance.now() < endsAt) {
    await send();
    await new Promise((resolve) => setTimeout(resolve, Number(pauseMs)));
  }
}

// `end-with-parent.ts` unreferences the channel. Without this line the process would end before the message comes.
process.channel?.ref();
process.once('message', () => {
  endsAt = performance.now() + Number(seconds) * 1_000;
  void Promise.all(Array.from({ length: Number(connections) }, sendInTurn)).then(() => {
    process.send?.(statuses, () => process.disconnect());
  });
});
process.send?.('ready');
