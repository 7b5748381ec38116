import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A content coding (RFC 9110, 8.4). */
export type Encoding = 'br' | 'gzip';

/** A file of the built dashboard, in memory. */
export interface DashboardFile {
  /** For `Content-Type`. */
  readonly type: string;
  readonly plain: Buffer;
  /** Compressed copies, made at build time. */
  readonly packed: ReadonlyMap<Encoding, Buffer>;
  /** Whether its name contains a hash of its content, so that caches may keep it for ever. */
  readonly isNamedByContent: boolean;
}

/** The output of `npm run dashboard`. */
export interface DashboardFiles {
  /** The page for every path of the dashboard, with a placeholder for the nonce. */
  readonly page: string;
  /** By path, such as `/assets/index-a1b2.js`. Requests can reach only these files. */
  readonly files: ReadonlyMap<string, DashboardFile>;
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

const endings: readonly (readonly [Encoding, string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];

/** Reads all files of the built dashboard, or null if none is built. */
export function readDashboard(folder: string): DashboardFiles | null {
  const page = readIfThere(path.join(folder, 'index.html'));
  if (page === null) return null;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.flatMap((name) => {
    const type = types[path.extname(name)];
    const address = `/${name.replaceAll(path.sep, '/')}`;
    return type === undefined ? [] : [[address, readFile(path.join(folder, name), type, address)] as const];
  });
  return { page: page.toString(), files: new Map(files) };
}

function readFile(file: string, type: string, address: string): DashboardFile {
  const packed = endings.flatMap(([encoding, ending]) => {
    const bytes = readIfThere(file + ending);
    return bytes === null ? [] : [[encoding, bytes] as const];
  });
  return {
    type,
    plain: readFileSync(file),
    packed: new Map(packed),
    isNamedByContent: address.startsWith('/assets/'),
  };
}

function readIfThere(file: string): Buffer | null {
  return existsSync(file) ? readFileSync(file) : null;
}
