import { connect, isIPv6, type Socket } from 'node:net';
import { describe, EgressError } from '../errors.ts';
import { InterimFilter } from './interim-filter.ts';

/** The operator's proxy: `http://user:password@host:port`. Its address is not judged. */
export type Proxy = URL;

/** The limit of connecting to the proxy, in ms. Its work after that counts against the request's deadline. */
const reachMs = 3_000;
const answerMs = 10_000;
const longestAnswer = 16_384;
const noBytes = Buffer.alloc(0);

/** Statuses of a proxy that did not reach the target (RFC 9110, 15.6). They are no failure of the proxy. */
const targetUnreachable = new Set([502, 503, 504]);

/**
 * Opens a tunnel to one vetted address (RFC 9110, 9.3.6). The proxy gets the address, never the name, so it looks
 * nothing up. Throws an `EgressError`: `proxy` if the proxy failed, `refused` if it did not reach the address,
 * `timeout` if it is unknown which.
 */
export async function openTunnel(proxy: Proxy, address: string, port: number): Promise<Socket> {
  const socket = await reach(proxy);
  try {
    const target = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
    socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization(proxy)}\r\n`);
    judge(await readAnswer(socket));
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function authorization({ username, password }: Proxy): string {
  if (username === '') return '';
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Proxy-Authorization: Basic ${Buffer.from(pair).toString('base64')}\r\n`;
}

function reach(proxy: Proxy): Promise<Socket> {
  const host = proxy.hostname.replace(/^\[|\]$/g, '');
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect({ host, port: Number(proxy.port || 80), noDelay: true });
  const fail = (text: string) => {
    socket.destroy();
    reject(new EgressError('proxy', `the proxy cannot be reached: ${text}`));
  };
  const onError = (error: Error) => fail(describe(error));
  const timer = setTimeout(() => fail(`no connection within ${reachMs} ms`), reachMs);
  socket.once('error', onError);
  socket.once('connect', () => {
    clearTimeout(timer);
    socket.off('error', onError);
    resolve(socket);
  });
  return promise.finally(() => clearTimeout(timer));
}

/**
 * The head of the proxy's answer, after its informational answers. Bytes after it are put back for the reader of the
 * tunnel.
 */
function readAnswer(socket: Socket): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const filter = new InterimFilter();
  filter.expectAnswer();
  let read = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    try {
      read = Buffer.concat([read, filter.take(chunk) ?? noBytes]);
    } catch (error) {
      return fail((error as Error).message);
    }
    const end = read.indexOf('\r\n\r\n');
    if (end < 0 && read.length > longestAnswer) return fail('its answer is too long');
    if (end < 0) return;
    socket.pause();
    const rest = read.subarray(end + 4);
    if (rest.length > 0) socket.unshift(rest);
    resolve(read.subarray(0, end).toString('latin1'));
  };
  const fail = (text: string) => reject(new EgressError('proxy', `the proxy failed: ${text}`));
  const onError = (error: Error) => fail(describe(error));
  const onEnd = () => fail('it hung up');
  const timer = setTimeout(
    () => reject(new EgressError('timeout', 'the proxy did not open the tunnel in time')),
    answerMs,
  );
  socket.on('data', onData).on('error', onError).on('end', onEnd).on('close', onEnd);
  return promise.finally(() => {
    clearTimeout(timer);
    socket.off('data', onData).off('error', onError).off('end', onEnd).off('close', onEnd);
  });
}

function judge(head: string): void {
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1]);
  if (status >= 200 && status < 300) return;
  const line = head.split('\r\n')[0]!.slice(0, 200);
  if (targetUnreachable.has(status))
    throw new EgressError('refused', `the proxy did not reach the address: ${line}`);
  throw new EgressError('proxy', `the proxy refuses: ${line}`);
}
