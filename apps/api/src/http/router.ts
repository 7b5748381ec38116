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
  /** Whether an API key may also come in `Authorization`. Default: no. */
  readonly keyInAuthorization?: boolean;
  /** Whether the path exists with these named parts. Default: with any. */
  readonly exists?: (params: Found['params']) => boolean;
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

/** Finds endpoints by paths, which have no query. */
export interface Router {
  /** The methods of all endpoints. */
  readonly methods: readonly string[];
  /** The endpoint of a method and a path, or null if there is none. */
  find(method: string, path: string): Found | null;
  /** The endpoints of a path that exists, by their methods. Of another path, none. */
  at(path: string): ReadonlyMap<string, Found>;
}

/**
 * One table of all endpoints. A path matches as in Express: literal segments in any case and unescaped, one optional
 * slash at its end, and names that match decoded segments of at least one character. A literal segment wins over a
 * name, also where only the path with the name takes the method (OpenAPI 3.1, 4.8.8.2).
 */
export function createRouter(endpoints: readonly Endpoint[]): Router {
  const table = findMyWay({
    caseSensitive: false,
    ignoreTrailingSlash: true,
    maxParamLength: Number.MAX_SAFE_INTEGER,
  });
  for (const [path, own] of Map.groupBy(endpoints, (endpoint) => endpoint.path))
    table.on(anyMethod, path, unused, byMethod(own));

  function look(path: string): { readonly own: ByMethod; readonly params: Found['params'] } | null {
    const isEscaped = path.includes('%');
    // The table would also decode literal segments. So it gets each escape escaped again, and gives back the escape
    // itself.
    const found = table.find(anyMethod, isEscaped ? path.replaceAll('%', '%25') : path);
    if (found === null) return null;
    const params = readParams(found.params, isEscaped);
    return params === null ? null : { own: found.store as ByMethod, params };
  }

  return {
    methods: [...byMethod(endpoints).keys()],
    find(method, path) {
      const found = look(path);
      const endpoint = found?.own.get(method);
      return endpoint === undefined ? null : { endpoint, params: found!.params };
    },
    at(path) {
      const { own = none, params = {} } = look(path) ?? {};
      const there = [...own].filter(([, endpoint]) => endpoint.exists?.(params) ?? true);
      return new Map(there.map(([method, endpoint]) => [method, { endpoint, params }]));
    },
  };
}

type ByMethod = ReadonlyMap<string, Endpoint>;

const none: ByMethod = new Map();

/** Paths are in the table once, whatever they take. */
const anyMethod = 'GET';

/** Ordered by their methods. */
function byMethod(endpoints: readonly Endpoint[]): ByMethod {
  const all = endpoints.flatMap((endpoint) => endpoint.methods.map((method) => [method, endpoint] as const));
  return new Map(all.toSorted(([one], [other]) => (one < other ? -1 : 1)));
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
