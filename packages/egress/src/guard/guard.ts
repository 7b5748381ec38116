import { type BlockList, isIP } from 'node:net';
import { blockList, isPrivate, isSpecial, liesIn } from './addresses.ts';

/** The destinations that are allowed besides the public internet. */
export interface EgressRules {
  /** Allow loopback and private networks (development). Link-local and other special addresses stay refused. */
  readonly allowPrivate: boolean;
  /** The operator's exceptions: `10.0.0.0/8:8080`, `[fd00::/8]:8080`, `gw.local:13013`. */
  readonly allow: readonly string[];
}

/** Judges destinations. Each method returns the fault in words, or null. */
export interface Guard {
  /**
   * Judges the URL itself, without a look-up: scheme, userinfo, port 0, a host that is an address or `localhost`.
   * `httpsOnly` refuses http except in development and for exceptions.
   */
  judgeUrl(url: URL, httpsOnly: boolean): string | null;
  /**
   * Judges the addresses of `host`. One address that is not allowed refuses them all. Tenants read these words, so they
   * contain no address that our name servers may have for an internal name.
   */
  judgeAddresses(host: string, port: number, addresses: readonly string[]): string | null;
}

interface Exceptions {
  readonly hosts: ReadonlySet<string>;
  readonly blocks: readonly { readonly block: BlockList; readonly port: number }[];
}

/** Makes a guard. Throws on an exception that cannot be read, so that typing errors show at startup. */
export function createGuard(rules: EgressRules): Guard {
  const exceptions = readExceptions(rules.allow);
  const isExcepted = (host: string, port: number, address: string) =>
    exceptions.hosts.has(`${host}:${port}`) ||
    exceptions.blocks.some((entry) => entry.port === port && liesIn(address, entry.block));

  function judgeAddresses(host: string, port: number, addresses: readonly string[]): string | null {
    const refused = addresses.some(
      (address) =>
        isSpecial(address) &&
        !(rules.allowPrivate && isPrivate(address)) &&
        !isExcepted(withoutDot(host), port, address),
    );
    return refused ? `${host} is not a public address` : null;
  }

  function judgeScheme(url: URL, httpsOnly: boolean): string | null {
    if (url.protocol === 'https:') return null;
    if (url.protocol !== 'http:') return 'the URL must be http or https';
    const host = withoutDot(hostOf(url));
    const fine = !httpsOnly || rules.allowPrivate || isExcepted(host, portOf(url), host);
    return fine ? null : 'the URL must be https';
  }

  return {
    judgeUrl: (url, httpsOnly) =>
      judgeScheme(url, httpsOnly) ??
      judgeUserinfo(url) ??
      (url.port === '0' ? 'nothing listens on port 0' : null) ??
      judgeAddresses(hostOf(url), portOf(url), literals(hostOf(url))),
    judgeAddresses,
  };
}

/** The host of a URL in the form of `net` and `dns`: an IPv6 address has no brackets. */
export function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
}

/** The port of a URL. Default: the port of its scheme. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function judgeUserinfo({ username, password }: URL): string | null {
  return username === '' && password === '' ? null : 'the URL must not carry a user name or password';
}

/**
 * The addresses that a host names without a look-up. `localhost` and names below it are loopback by definition (RFC
 * 6761).
 */
function literals(host: string): readonly string[] {
  if (isIP(host) !== 0) return [host];
  const name = withoutDot(host);
  return name === 'localhost' || name.endsWith('.localhost') ? ['127.0.0.1'] : [];
}

function withoutDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

function readExceptions(entries: readonly string[]): Exceptions {
  const hosts = new Set<string>();
  const blocks: { block: BlockList; port: number }[] = [];
  for (const entry of entries) {
    const { host, port } = readEntry(entry);
    if (host.includes('/') || isIP(host) !== 0) blocks.push({ block: blockList(host), port });
    else hosts.add(`${host.toLowerCase()}:${port}`);
  }
  return { hosts, blocks };
}

function readEntry(entry: string): { host: string; port: number } {
  const match = /^(?<host>.+):(?<port>\d{1,5})$/.exec(entry);
  const port = Number(match?.groups?.port);
  const host = match?.groups?.host?.replaceAll(/[[\]]/g, '');
  if (host === undefined || host === '' || !(port >= 1 && port <= 65_535))
    throw new Error(`not an address block or host with a port: ${entry}`);
  return { host, port };
}
