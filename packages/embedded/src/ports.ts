import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** Below what systems hand out by themselves to who connects or asks for any port (Linux from 32,768, others from 49,152). */
const [lowest, beyond] = [20_000, 32_768];

/**
 * A TCP port that nothing listens on at `host`, for a process that is still to be started. Until this one ends nobody else
 * is given it: neither by this function, in whatever process, nor by the system.
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (beyond - lowest));
    if (await isFree(host, port)) return port;
  }
}

/** The port to serve on: `wanted`, or a free one for 0. Throws, in one line, when it cannot be had. */
export async function claimPort(host: string, wanted: number): Promise<number> {
  try {
    if (wanted === 0) return await freePort(host);
    await listenOnce(host, wanted);
    return wanted;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EADDRINUSE')
      throw new Error(`port ${wanted} is in use: stop the process that uses it, or set PORT`);
    throw new Error(`cannot listen on ${host}, port ${wanted} (${String(code)}): set HOST or PORT`);
  }
}

async function isFree(host: string, port: number): Promise<boolean> {
  try {
    await reserve(port);
    await listenOnce(host, port);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') return false;
    throw error;
  }
}

/** Takes the UDP port of the same number, which nobody here uses for anything else, until the process ends. */
function reserve(port: number): Promise<void> {
  const socket = createSocket('udp4').unref();
  return new Promise((resolve, reject) => {
    socket.once('error', (error) => {
      socket.close();
      reject(error);
    });
    socket.bind({ address: '127.0.0.1', port, exclusive: true }, resolve);
  });
}

function listenOnce(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => server.close(() => resolve()));
  });
}

function codeOf(error: unknown): unknown {
  return (error as NodeJS.ErrnoException).code;
}
