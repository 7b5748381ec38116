import { createServer } from 'node:net';

/** A TCP port of loopback that was free a moment ago. */
export function freePort(): Promise<number> {
  return listenOnce('127.0.0.1', 0);
}

/** The port to serve on: `wanted`, or a free one for 0. Throws, in one line, when it cannot be had. */
export async function claimPort(host: string, wanted: number): Promise<number> {
  try {
    return await listenOnce(host, wanted);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EADDRINUSE') throw new Error(`port ${wanted} is in use: stop what uses it, or set PORT`);
    throw new Error(`cannot listen on ${host}, port ${wanted} (${String(code)}): set HOST or PORT`);
  }
}

function listenOnce(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port));
    });
  });
}
