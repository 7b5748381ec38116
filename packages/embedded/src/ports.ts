import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/**
 * A range below the ports that systems choose for clients and for "any port" (Linux from 32,768, others from 49,152).
 */
const [lowest, beyond] = [20_000, 32_768];

/**
 * A TCP port that nothing listens on at `host`, for a process that is about to start. Until this process ends, neither
 * the system nor this function in any process gives the port to anybody else.
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (beyond - lowest));
    if (await isFree(host, port)) return port;
  }
}

/**
 * The port to serve on: `wanted`, or a free one for 0. Throws a one-line error if it is not available, which names the
 * settings.
 */
export async function claimPort(
  host: string,
  wanted: number,
  settings = { host: 'HOST', port: 'PORT' },
): Promise<number> {
  try {
    if (wanted === 0) return await freePort(host);
    await listenOnce(host, wanted);
    return wanted;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EADDRINUSE')
      throw new Error(`port ${wanted} is in use: stop the process that uses it, or set ${settings.port}`);
    throw new Error(
      `cannot listen on ${host}, port ${wanted} (${String(code)}): set ${settings.host} or ${settings.port}`,
    );
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

/** Holds the UDP port of the same number until the process ends. Nothing of ours uses UDP ports otherwise. */
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
