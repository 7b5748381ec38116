import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The commands of a peer's control port, by method and path. Bodies and answers are JSON. */
export type Commands = Readonly<Record<string, (body: never) => unknown>>;

/**
 * Makes this process a peer: opens the control port on loopback, prints one line of JSON, `shown` and `controlUrl`, and
 * ends at SIGTERM.
 */
export function serveControl(controlPort: number, shown: object, commands: Commands): void {
  const control = createServer((request, response) => void answer(commands, request, response));
  // A connection that ended just before its next command would fail that command.
  control.keepAliveTimeout = 0;
  control.listen(controlPort, '127.0.0.1', () => {
    const controlUrl = `http://127.0.0.1:${(control.address() as AddressInfo).port}`;
    process.stdout.write(`${JSON.stringify({ ...shown, controlUrl })}\n`);
  });
  process.once('SIGTERM', () => process.exit(0));
}

async function answer(commands: Commands, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('content-type', 'application/json');
  const command = commands[`${request.method} ${request.url}`];
  const body = Buffer.concat(await request.toArray()).toString('utf8');
  if (command === undefined) return void response.writeHead(404).end('{}');
  try {
    const told: unknown = await command((body === '' ? null : JSON.parse(body)) as never);
    response.end(JSON.stringify(told ?? {}));
  } catch (error) {
    response.writeHead(400).end(JSON.stringify({ error: String(error) }));
  }
}
