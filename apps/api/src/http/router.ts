import findMyWay from 'find-my-way';
import type { Handler } from './exchange.ts';
import type { WorkClass } from '../admission/work-class.ts';
import type { Credential } from './credential.ts';

/** The handler of requests with some methods to one path. */
export interface Endpoint {
  /** Methods as HTTP writes them. GET does not include HEAD. */
  readonly methods: readonly string[];
  /** Literal segments and `:names`. */
  readonly path: string;
  /** The kind of credential that it requires. Default: none. */
  readonly credential?: Credential;
  /** What the credential needs. Default: nothing. */
  readonly scope?: string | null;
  /** What it asks for. Null or absent: it is always admitted. */
  readonly work?: WorkClass | null;
  readonly handle: Handler;
}

/** The endpoint of a request, and the named parts of its path. */
export interface Found {
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the endpoint for a method and a path without its query, or null if there is none. */
export type Router = (method: string, path: string) => Found | null;

/**
 * One table of all endpoints. A path matches as in Express: literal segments in any case and unescaped, one optional
 * slash at its end, and names that match decoded segments of at least one character. A literal segment wins over a
 * name.
 */
export function createRouter(endpoints: readonly Endpoint[]): Router {
  const table = findMyWay({
    caseSensitive: false,
    ignoreTrailingSlash: true,
    maxParamLength: Number.MAX_SAFE_INTEGER,
  });
  for (const endpoint of endpoints)
    table.on(endpoint.methods as findMyWay.HTTPMethod[], endpoint.path, unused, endpoint);
  return (method, path) => {
    const isEscaped = path.includes('%');
    // The table would also decode literal segments. So it gets each escape escaped again, and gives back the escape
    // itself.
    const found = table.find(method as findMyWay.HTTPMethod, isEscaped ? path.replaceAll('%', '%25') : path);
    if (found === null) return null;
    const params = readParams(found.params, isEscaped);
    return params === null ? null : { endpoint: found.store as Endpoint, params };
  };
}

/** The table requires a function for each row. */
function unused(): void {}

/** Null if a part is empty or not valid percent-encoding. Such a path is not found. */
function readParams(given: Record<string, string | undefined>, isEscaped: boolean): Found['params'] | null {
  const params = given as Record<string, string>;
  for (const name in params) {
    if (params[name] === '') return null;
    if (!isEscaped) continue;
    const decoded = decode(params[name]!);
    if (decoded === null) return null;
    params[name] = decoded;
  }
  return params;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
