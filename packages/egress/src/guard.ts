import { type BlockList, isIP } from 'node:net';
import { blockList, isPrivate, isSpecial, liesIn } from './addresses.ts';

/** Where requests may go beyond the public internet. */
export interface EgressRules {
  /** Loopback and private networks are allowed (development). Link-local and other special addresses are not. */
  readonly allowPrivate: boolean;
  /** The operator's exceptions: `10.0.0.0/8:8080`, `[fd00::]/8:8080`, `gw.local:13013`. */
  readonly allow: readonly string[];
}

/** Judges destinations. Each method says in words what is wrong, or null. */
export interface Guard {
  /** Judges the URL itself, without a look-up: scheme, userinfo, a host that is an address or `localhost`. */
  judgeUrl(url: URL): string | null;
  /** Judges what `host` resolved to. One address that is not allowed refuses them all. */
  judgeAddresses(host: string, port: number, addresses: readonly string[]): string | null;
  /** Whether an exception of the operator's, or development, covers the destination as far as the URL tells. */
  isExempt(url: URL): boolean;
}

interface Exceptions {
  readonly hosts: ReadonlySet<string>;
  readonly blocks: readonly { readonly block: BlockList; readonly port: number }[];
}

/** Makes a guard. Throws for an exception that cannot be read, so that a typing error is found at the start. */
export function createGuard(rules: EgressRules): Guard {
  const exceptions = readExceptions(rules.allow);
  const mayConnect = (host: string, port: number, address: string) =>
    !isSpecial(address) ||
    (rules.allowPrivate && isPrivate(address)) ||
    exceptions.hosts.has(`${host}:${port}`) ||
    exceptions.blocks.some((entry) => entry.port === port && liesIn(address, entry.block));

  const judgeAddresses = (host: string, port: number, addresses: readonly string[]) => {
    const refused = addresses.find((address) => !mayConnect(bareHost(host), port, address));
    return refused === undefined ? null : `${host} leads to ${refused}, which is not a public address`;
  };
  return {
    judgeUrl: (url) => judgeScheme(url) ?? judgeAddresses(hostOf(url), portOf(url), literals(hostOf(url))),
    judgeAddresses,
    isExempt: (url) => {
      const [host, port] = [bareHost(hostOf(url)), portOf(url)];
      if (rules.allowPrivate || exceptions.hosts.has(`${host}:${port}`)) return true;
      return exceptions.blocks.some((entry) => entry.port === port && liesIn(host, entry.block));
    },
  };
}

/** The host of a URL as `net` and `dns` want it: an IPv6 address without its brackets. */
export function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
}

/** The port of a URL, its scheme's own when none is written. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function judgeScheme(url: URL): string | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'the URL must be http or https';
  if (url.username !== '' || url.password !== '') return 'the URL must not carry a user name or password';
  return null;
}

/** Addresses that a host names by itself. `localhost` and names below it are loopback by definition (RFC 6761). */
function literals(host: string): readonly string[] {
  if (isIP(host) !== 0) return [host];
  const name = bareHost(host);
  return name === 'localhost' || name.endsWith('.localhost') ? ['127.0.0.1'] : [];
}

function bareHost(host: string): string {
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
