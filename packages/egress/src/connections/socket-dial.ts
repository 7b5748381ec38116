import { once } from 'node:events';
import { connect, isIP, isIPv6, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { connectError, EgressError } from '../errors.ts';
import { createGuard, type EgressRules, hostOf, portOf } from '../guard/guard.ts';
import type { HttpErrorClass } from '../http-client.ts';
import {
  type ConnectOptions,
  connectTimeoutMs,
  judgeLiteral,
  type Lookup,
  pinnedLookup,
  systemLookup,
  tunnelTo,
} from './connect.ts';

export interface SocketDialOptions extends EgressRules {
  /** The look-up of names. Default: the system's. */
  readonly lookup?: Lookup;
  /** Certificate authorities to trust instead of the system's, as PEM. */
  readonly ca?: string;
  /** The operator's proxy, `http://user:password@host:port`. Null or absent: none. */
  readonly proxy?: string | null;
}

/** Where a socket leads. */
export interface SocketTarget {
  /** A name or an address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
}

/**
 * An open socket, with TLS if the target has it, or why there is none. Call `resume()` once you listen: after a proxy it is paused, so
 * that nothing is lost. `text` is for tenants: it names no address.
 */
export type Dialled =
  | { readonly ok: true; readonly socket: Socket }
  | { readonly ok: false; readonly error: HttpErrorClass; readonly text: string };

export type SocketDial = (target: SocketTarget) => Promise<Dialled>;

/**
 * Makes the dial for protocols other than HTTP. Each dial looks all addresses up, refuses if one of them is not allowed, and connects to
 * those very addresses, as the HTTP client does. It takes at most 10 s. A certificate is checked against the host of the target.
 */
export function createSocketDial(options: SocketDialOptions): SocketDial {
  const { ca, proxy } = options;
  const connecting: ConnectOptions = {
    guard: createGuard(options),
    lookup: options.lookup ?? systemLookup,
    ...(ca === undefined ? {} : { ca }),
    ...(typeof proxy === 'string' ? { proxy: new URL(proxy) } : {}),
  };
  return async (target) => {
    try {
      return { ok: true, socket: await dial(target, connecting) };
    } catch (cause) {
      const { class: error, message: text } = connectError(cause as Error, target.tls);
      return { ok: false, error, text };
    }
  };
}

async function dial(target: SocketTarget, options: ConnectOptions): Promise<Socket> {
  const origin = originOf(target);
  const refusal = judgeLiteral(origin, options.guard);
  if (refusal !== null) throw new EgressError('blocked', refusal);
  const { proxy } = options;
  const signal = AbortSignal.timeout(connectTimeoutMs);
  const socket =
    proxy === undefined ? await reach(origin, options, signal) : await tunnelTo(origin, proxy, options);
  return target.tls ? secure(socket, hostOf(origin), options, signal) : socket;
}

/** As a URL, so that all forms of an address are judged as one. */
function originOf({ host, port, tls }: SocketTarget): URL {
  const origin = URL.parse(`${tls ? 'https' : 'http'}://${isIPv6(host) ? `[${host}]` : host}:${port}`);
  if (origin === null || origin.pathname !== '/' || origin.username !== '' || portOf(origin) === 0)
    throw new EgressError('blocked', 'the host or the port cannot be read');
  return origin;
}

function reach(origin: URL, options: ConnectOptions, signal: AbortSignal): Promise<Socket> {
  const port = portOf(origin);
  const lookup = pinnedLookup(port, options);
  const socket = connect({ host: hostOf(origin), port, lookup, autoSelectFamily: true, noDelay: true });
  return opened(socket, 'connect', signal);
}

function secure(socket: Socket, host: string, { ca }: ConnectOptions, signal: AbortSignal): Promise<Socket> {
  const secured = connectTls({
    socket,
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(ca === undefined ? {} : { ca }),
  });
  return opened(secured, 'secureConnect', signal);
}

/** The socket once it is open. Closes it if that fails or takes too long. */
async function opened(socket: Socket, event: string, signal: AbortSignal): Promise<Socket> {
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (cause) {
    socket.on('error', () => undefined).destroy();
    if (signal.aborted) throw new EgressError('timeout', 'no connection in time', { cause });
    throw cause;
  }
}
