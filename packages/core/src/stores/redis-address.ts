/** Where one server listens. */
export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

/** A user and password, each null if the URL has none. */
export interface RedisLogin {
  readonly username: string | null;
  readonly password: string | null;
}

/**
 * What a Redis URL names: one server, the master that sentinels watch, or a cluster. With `tls`, every connection is
 * encrypted, those to sentinels too. `login` is that of the servers.
 */
export type RedisAddress =
  | { readonly kind: 'single'; readonly url: string }
  | {
      readonly kind: 'sentinel';
      readonly tls: boolean;
      readonly nodes: readonly RedisNode[];
      readonly login: RedisLogin;
      readonly master: string;
      readonly database: number;
      readonly sentinelLogin: RedisLogin;
    }
  | {
      readonly kind: 'cluster';
      readonly tls: boolean;
      readonly nodes: readonly RedisNode[];
      readonly login: RedisLogin;
    };

/** Why a text is no Redis URL. It repeats no part of the text, which may hold a password. */
export interface RedisAddressFault {
  readonly fault: string;
}

/** The forms that `parseRedisAddress` takes. */
export const redisUrlForms = [
  'redis://[user:password@]host:port[/database]',
  'redis+sentinel://[user:password@]host:port,host:port/master[/database][?sentinelPassword=…]',
  'redis+cluster://[user:password@]host:port,host:port',
];

const pattern = /^(rediss?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/?]*)@)?([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/;
const sentinelPort = 26_379;
const clusterPort = 6_379;

/**
 * Reads a URL of one of the `redisUrlForms`; `rediss` instead of `redis` means TLS. User, password and master name are
 * percent-encoded. A port may be left out: 26379 for sentinels, else 6379. IPv6 addresses are in brackets.
 */
export function parseRedisAddress(text: string): RedisAddress | RedisAddressFault {
  const found = pattern.exec(text);
  if (found === null) return { fault: 'it must start with redis://, redis+sentinel:// or redis+cluster://' };
  const [, scheme, kind, userInfo, hosts = '', path = '', query = ''] = found;
  if (kind === undefined) {
    return URL.canParse(text) ? { kind: 'single', url: text } : { fault: 'it is no valid URL' };
  }
  try {
    const common = {
      tls: scheme === 'rediss',
      nodes: readNodes(hosts, kind === 'sentinel' ? sentinelPort : clusterPort),
      login: readLogin(userInfo ?? ''),
    };
    if (kind === 'cluster') return { kind, ...common, ...readNothing(path, query) };
    return { kind: 'sentinel', ...common, ...readMaster(path), sentinelLogin: readSentinelLogin(query) };
  } catch (error) {
    if (error instanceof Fault) return { fault: error.message };
    throw error;
  }
}

class Fault extends Error {}

function readNodes(hosts: string, defaultPort: number): RedisNode[] {
  return hosts.split(',').map((item) => {
    const [, bracketed, bare, written] =
      /^(?:\[([\da-fA-F:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/.exec(item) ?? [];
    const host = bracketed ?? bare;
    const port = written === undefined ? defaultPort : Number(written);
    if (host === undefined || port < 1 || port > 65_535)
      throw new Fault('each of its hosts must be host:port, separated by commas');
    return { host, port };
  });
}

function readLogin(userInfo: string): RedisLogin {
  const [username = '', ...rest] = userInfo.split(':');
  const password = rest.join(':');
  return { username: decoded(username), password: decoded(password) };
}

function readMaster(path: string): { readonly master: string; readonly database: number } {
  const [, name = '', database = '0', ...rest] = path.split('/');
  const master = decoded(name);
  if (master === null)
    throw new Fault('its path must name the master, as in redis+sentinel://host:26379/mymaster');
  if (!/^\d{1,4}$/.test(database) || rest.length > 0)
    throw new Fault('behind the master it may only have the number of a database');
  return { master, database: Number(database) };
}

function readSentinelLogin(query: string): RedisLogin {
  const login: { username: string | null; password: string | null } = { username: null, password: null };
  for (const pair of query === '' ? [] : query.split('&')) {
    const [, name, value = ''] = /^sentinel(Username|Password)=(.*)$/.exec(pair) ?? [];
    if (name === 'Username') login.username = decoded(value);
    else if (name === 'Password') login.password = decoded(value);
    else throw new Fault('its query may only have sentinelUsername and sentinelPassword');
  }
  return login;
}

function readNothing(path: string, query: string): object {
  if (!/^\/?0?$/.test(path)) throw new Fault('a cluster has only database 0, so it must have no path');
  if (query !== '') throw new Fault('a cluster takes no query');
  return {};
}

/** Null for the empty text. */
function decoded(text: string): string | null {
  if (text === '') return null;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Fault('% must be written as %25 in its user, password and master');
  }
}
