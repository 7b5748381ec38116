/** One Postgres server. */
export interface DatabaseServer {
  /** A name, an address without brackets, or the folder of a socket. */
  readonly host: string;
  readonly port: number;
  /** `host:port`, with an IPv6 address in brackets: how logs and metrics name the server. */
  readonly name: string;
}

const sessionAttrs = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;

/** Which servers a connection may go to: `target_session_attrs` of libpq ("Database Connection Control Functions"). */
export type SessionAttrs = (typeof sessionAttrs)[number];

/** A URL of Postgres, taken apart. */
export interface DatabaseUrl {
  /** The servers in the order of the list. Empty when the URL names none: `pg` then takes its default. */
  readonly servers: readonly DatabaseServer[];
  /** `read-write` unless the URL says otherwise, because a service that writes needs it. */
  readonly sessionAttrs: SessionAttrs;
  /** The same URL as `pg` understands it: with the first server alone, and without `target_session_attrs`. */
  readonly ofOneServer: string;
}

/** What is wrong with a URL of Postgres. The text shows nothing of the URL, which may hold a password. */
export interface DatabaseUrlFault {
  readonly fault: string;
}

const defaultPort = 5432;
const form = /^(?<scheme>postgres(?:ql)?:\/\/)(?<authority>[^/?#]*)(?<path>[^?#]*)(?:\?(?<query>[^#]*))?$/;

/**
 * Takes a URL apart as libpq does ("Connection URIs", "Specifying Multiple Hosts"):
 * `postgres://user:password@host1:5432,[::1]:5433/database?target_session_attrs=read-write`. The hosts can also be in
 * the parameters `host` and `port`, as lists.
 */
export function readDatabaseUrl(url: string): DatabaseUrl | DatabaseUrlFault {
  const { scheme, authority, path, query } = form.exec(url)?.groups ?? {};
  if (scheme === undefined || authority === undefined)
    return { fault: 'expected URL that starts with postgres:// or postgresql://' };
  const user = authority.slice(0, authority.lastIndexOf('@') + 1);
  const parameters = new URLSearchParams(query ?? '');

  const attrs = parameters.get('target_session_attrs') ?? 'read-write';
  const wanted = sessionAttrs.find((one) => one === attrs);
  if (wanted === undefined) return { fault: `target_session_attrs is not one of ${sessionAttrs.join(', ')}` };
  parameters.delete('target_session_attrs');

  const inAuthority = authority.slice(user.length);
  const inParameters = parameters.get('host');
  if (inAuthority !== '' && inParameters !== null && `${inAuthority}${inParameters}`.includes(','))
    return { fault: 'the hosts are listed before the path and in the parameter host' };
  const servers =
    inParameters === null
      ? serversOf(inAuthority)
      : serversOfParameters(inParameters, parameters.get('port') ?? '');
  if ('fault' in servers) return servers;

  const [first] = servers;
  if (servers.length > 1) for (const name of ['host', 'port']) parameters.delete(name);
  const host = servers.length > 1 && first !== undefined ? authorityOf(first) : inAuthority;
  const rest = parameters.size === 0 ? '' : `?${parameters.toString()}`;
  const ofOneServer = `${scheme}${user}${host}${path ?? ''}${rest}`;
  if (!URL.canParse(ofOneServer) && inAuthority !== '')
    return { fault: 'the user, the password or a host has characters that must be percent-encoded' };
  return { servers, sessionAttrs: wanted, ofOneServer };
}

/** The same URL for work that only reads: a standby or a read-only server will do, unless the URL says otherwise. */
export function forReading(url: string): string {
  if (/[?&]target_session_attrs=/.test(url)) return url;
  return `${url}${url.includes('?') ? '&' : '?'}target_session_attrs=any`;
}

/** The parts of `host:port,host:port`. */
function serversOf(list: string): readonly DatabaseServer[] | DatabaseUrlFault {
  if (list === '') return [];
  const servers: DatabaseServer[] = [];
  for (const [index, item] of list.split(',').entries()) {
    const place = `host ${index + 1} of the list`;
    if (item === '') return { fault: `${place} is empty` };
    const { bracketed, bare, port } =
      /^(?:\[(?<bracketed>[^[\]]+)\]|(?<bare>[^:[\]]+))(?::(?<port>\d*))?$/.exec(item)?.groups ?? {};
    const host = bracketed ?? bare;
    if (host === undefined)
      return { fault: `${place} is not of the form host:port, with an IPv6 address in brackets` };
    const server = serverOf(decoded(host), port ?? '', place);
    if ('fault' in server) return server;
    servers.push(server);
  }
  return withoutRepeats(servers);
}

/** The servers of `host=a,b&port=1,2`. One port serves all hosts, as with libpq. */
function serversOfParameters(hosts: string, ports: string): readonly DatabaseServer[] | DatabaseUrlFault {
  const portList = ports.split(',');
  const hostList = hosts.split(',');
  if (portList.length !== 1 && portList.length !== hostList.length)
    return { fault: `the parameters have ${hostList.length} hosts and ${portList.length} ports` };
  const servers: DatabaseServer[] = [];
  for (const [index, host] of hostList.entries()) {
    const place = `host ${index + 1} of the list`;
    if (host === '') return { fault: `${place} is empty` };
    const server = serverOf(host, portList.length === 1 ? portList[0]! : portList[index]!, place);
    if ('fault' in server) return server;
    servers.push(server);
  }
  return withoutRepeats(servers);
}

function serverOf(host: string, port: string, place: string): DatabaseServer | DatabaseUrlFault {
  const number = port === '' ? defaultPort : Number(port);
  if (!/^\d{0,5}$/.test(port) || number < 1 || number > 65_535)
    return { fault: `the port of ${place} is not a number from 1 to 65535` };
  return { host, port: number, name: `${host.includes(':') ? `[${host}]` : host}:${number}` };
}

function withoutRepeats(servers: readonly DatabaseServer[]): readonly DatabaseServer[] | DatabaseUrlFault {
  const names = servers.map(({ name }) => name);
  const repeated = names.findIndex((name, index) => names.indexOf(name) !== index);
  return repeated === -1 ? servers : { fault: `host ${repeated + 1} of the list is there twice` };
}

/** The place of the folder of a socket is in the parameters, so a name stands for it here. */
function authorityOf({ host, name }: DatabaseServer): string {
  return host.startsWith('/') ? 'localhost' : name;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
