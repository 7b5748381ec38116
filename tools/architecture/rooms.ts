import { relativeImports, type Rule, type SourceFile, type Tree } from './tree.ts';

/**
 * The rooms of each source folder, lowest first. A room is a folder or a file directly in the source folder. It imports itself
 * and the rooms before it.
 */
export const roomsOf: Readonly<Record<string, readonly string[]>> = {
  'packages/db/src': [
    'schema',
    'servers',
    'connection',
    'holds',
    'tenants',
    'templates',
    'accounts',
    'uploads',
    'messages',
    'consents',
    'dispatch',
    'ownership',
    'inbound',
    'conversations',
    'updates',
    'files',
    'receipts',
    'groups',
    'verifications',
    'webhooks',
    'events',
    'whatsapp',
    'explanations',
    'usage',
    'maintenance',
    'operations',
    'exports',
    'backups',
  ],
  'apps/api/src': [
    // Base
    'wake.ts',
    'problems',
    'admission',
    'http',
    // Identity
    'keys',
    'service-tokens',
    'mail',
    'auth',
    // Features
    'channel-accounts',
    'files',
    'sending',
    'templates',
    'interactive',
    'messages',
    'notify',
    'alerts',
    'groups',
    'media',
    'consents',
    'conversations',
    'links',
    'callbacks',
    'webhooks',
    'events',
    'usage',
    'verifications',
    'dashboard',
    'docs',
    // The app that wires them
    'find-asker.ts',
    'routes.ts',
    'parts.ts',
    'app.ts',
    'listeners.ts',
    'server.ts',
    'start.ts',
    'main.ts',
  ],
};

/** The imports from one room into another. */
interface Crossing {
  readonly file: SourceFile;
  readonly specifier: string;
  readonly from: string;
  readonly to: string;
  readonly isUpward: boolean;
}

/** Every file lies in a room, and every room has a place in the order. */
export const everyFileHasARoom: Rule = ({ packages }) =>
  Object.entries(roomsOf).flatMap(([source, rooms]) =>
    filesIn(source, packages)
      .filter((file) => !rooms.includes(roomOf(source, file.path)))
      .map((file) => `${file.path}: is in none of the rooms of ${source}`),
  );

/**
 * A room imports only lower rooms. So one can read the room of messages without knowing webhooks, and so on down to the
 * first.
 */
export const roomsImportDownwards: Rule = ({ packages }) =>
  Object.keys(roomsOf).flatMap((source) =>
    crossings(source, packages)
      .filter(({ isUpward }) => isUpward)
      .map(({ file, specifier }) => `${file.path}: imports a higher room: ${specifier}`),
  );

/** A line for each room of a source folder, with the number of its imports from each other room, and one with the sums. */
export function sheetOf(source: string, { packages }: Tree): string[] {
  const all = crossings(source, packages);
  const rooms = roomsOf[source] ?? [];
  const width = Math.max(...rooms.map(({ length }) => length));
  const lines = rooms.map((room) => {
    const counts = rooms
      .map((to) => ({ to, count: all.filter((one) => one.from === room && one.to === to).length }))
      .filter(({ count }) => count > 0);
    return `  ${room.padEnd(width)}  ${counts.map(({ to, count }) => `${to} ${count}`).join(', ')}`.trimEnd();
  });
  const upward = all.filter(({ isUpward }) => isUpward).length;
  return [`Imports between the rooms of ${source}: ${all.length}, upward: ${upward}`, ...lines];
}

function crossings(source: string, packages: Tree['packages']): Crossing[] {
  const rooms = roomsOf[source] ?? [];
  return relativeImports(filesIn(source, packages).filter(({ isTest }) => !isTest))
    .map(({ file, specifier, target }) => {
      const [from, to] = [roomOf(source, file.path), roomOf(source, target)];
      return { file, specifier, from, to, isUpward: rooms.indexOf(to) > rooms.indexOf(from) };
    })
    .filter(({ from, to }) => from !== to && rooms.includes(to));
}

function filesIn(source: string, packages: Tree['packages']): SourceFile[] {
  return packages.flatMap(({ files }) => files.filter((file) => file.path.startsWith(`${source}/`)));
}

function roomOf(source: string, file: string): string {
  return file
    .slice(source.length + 1)
    .split('/')[0]!
    .replace(/\.test\.ts$/, '.ts');
}
