import { lookup as dnsLookup } from 'node:dns/promises';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import { connectError, EgressError } from '../errors.ts';
import { type Guard, hostOf, portOf } from '../guard/guard.ts';
import { openTunnel, type Proxy } from './tunnel.ts';

/** Finds every address of a name. */
export type Lookup = (
  host: string,
) => Promise<readonly { readonly address: string; readonly family: number }[]>;

/** The system's look-up, which knows hosts files and container names. */
export const systemLookup: Lookup = (host) => dnsLookup(host, { all: true, order: 'verbatim' });

export interface ConnectOptions {
  readonly guard: Guard;
  readonly lookup: Lookup;
  /** Certificate authorities to trust instead of the system's, as PEM. */
  readonly ca?: string;
  /** A proxy for every connection. */
  readonly proxy?: Proxy;
}

/**
 * The limit of one connect with its look-up and TLS, in ms. A request gives up at its own deadline if that is earlier.
 */
export const connectTimeoutMs = 10_000;

/**
 * A connector for one origin. Each connect looks all addresses up, refuses if one of them is not allowed, and connects
 * to those very addresses, so that a second look-up cannot lead elsewhere. Errors are `EgressError`s.
 */
export function guardedConnector(origin: URL, options: ConnectOptions): buildConnector.connector {
  const secure = origin.protocol === 'https:';
  const connect = buildConnector({
    allowH2: false,
    timeout: connectTimeoutMs,
    lookup: pinnedLookup(portOf(origin), options),
    autoSelectFamily: true,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });
  const tunnel = callbackify((proxy: Proxy) => tunnelTo(origin, proxy, options));
  const connectThrough = (proxy: Proxy, ...[target, callback]: Parameters<buildConnector.connector>): void =>
    tunnel(proxy, (failure, socket) => {
      if (failure) return callback(connectError(failure, secure), null);
      if (!secure) return callback(null, socket);
      connect({ ...target, httpSocket: socket }, (...[error, upgraded]) => {
        if (error) callback(connectError(error, secure), null);
        else callback(null, upgraded);
      });
    });
  return (target, callback) => {
    const refusal = judgeLiteral(origin, options.guard);
    if (refusal !== null) return callback(new EgressError('blocked', refusal), null);
    if (options.proxy !== undefined) return connectThrough(options.proxy, target, callback);
    connect(target, (...[error, socket]) => {
      if (error) callback(connectError(error, secure), null);
      else callback(null, socket);
    });
  };
}

/** A tunnel to the first address of the origin, after all its addresses have been vetted. */
export async function tunnelTo(
  origin: URL,
  proxy: Proxy,
  { guard, lookup }: ConnectOptions,
): Promise<Socket> {
  const host = hostOf(origin);
  const port = portOf(origin);
  const addresses = isIP(host) === 0 ? await vet(host, port, guard, lookup) : [{ address: host }];
  return openTunnel(proxy, addresses[0]!.address, port);
}

/** Judges an IP literal here, because Node does not pass it to `lookup`. */
export function judgeLiteral(origin: URL, guard: Guard): string | null {
  const host = hostOf(origin);
  return isIP(host) === 0 ? null : guard.judgeAddresses(host, portOf(origin), [host]);
}

/** A look-up for `net.connect` that finds only addresses that are allowed. */
export function pinnedLookup(port: number, { guard, lookup }: ConnectOptions): LookupFunction {
  const vetted = callbackify((host: string) => vet(host, port, guard, lookup));
  return (host, wanted, callback) => {
    vetted(host, (error, addresses) => {
      if (error) callback(error, []);
      else if (wanted.all) callback(null, [...addresses]);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    });
  };
}

async function vet(host: string, port: number, guard: Guard, lookup: Lookup) {
  const found = await lookup(host).catch((cause: Error) => {
    throw new EgressError('dns', cause.message, { cause });
  });
  if (found.length === 0) throw new EgressError('dns', `${host} has no address`);
  const refusal = guard.judgeAddresses(
    host,
    port,
    found.map((each) => each.address),
  );
  if (refusal !== null) throw new EgressError('blocked', refusal);
  return found;
}
