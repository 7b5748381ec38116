import { createServer } from 'node:net';
import { createReader } from './http-messages.ts';

/*
 * A slow webhook receiver in its own process: `node slow-receiver.ts <port> <latencyMs>`. It answers every POST
 * with 204 after the latency. GET returns the number of answered POSTs.
 */
const [port, latencyMs] = process.argv.slice(2).map(Number);
let answered = 0;

const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => undefined);
  socket.on(
    'data',
    createReader(({ start }) => {
      if (start.startsWith('GET')) {
        const count = String(answered);
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${count.length}\r\n\r\n${count}`);
        return;
      }
      setTimeout(() => {
        answered += 1;
        if (!socket.destroyed) socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      }, latencyMs);
    }),
  );
});
server.listen(port, '127.0.0.1', () => process.stdout.write('ready\n'));
process.once('SIGTERM', () => process.exit(0));
