import { connect } from 'node:net';
import { type Hostile, hostileRequests } from './hostile-requests.ts';

/*
 * A flood of hostile requests, in a process of its own:
 * `node flood.ts <port> <kind> <target> <connections> <seconds> <patienceMs> <pauseMs>`. So many at once, each on a connection of
 * its own, which is left when the answer begins or does not come in time. Tells its parent that it is ready, waits for any
 * message, floods, and tells how many were answered with which status.
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

// What ends us with our parent lets go of the channel; without it there would be nothing to wait for.
process.channel?.ref();
process.once('message', () => {
  endsAt = performance.now() + Number(seconds) * 1_000;
  void Promise.all(Array.from({ length: Number(connections) }, sendInTurn)).then(() => {
    process.send?.(statuses, () => process.disconnect());
  });
});
process.send?.('ready');
