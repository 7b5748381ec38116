import { execFile } from 'node:child_process';
import { copyFile, glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { npmPack } from './npm-pack.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
/** The libraries that integrators install. Each comes after those it depends on. */
export const libraries = ['sdk', 'cli'] as const;
export type Library = (typeof libraries)[number];

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** Whether a package is one of `libraries`. */
export function isLibrary(name: string): name is Library {
  return (libraries as readonly string[]).includes(name);
}

/**
 * Packs libraries for npm: JavaScript for Node 20, declarations, README, LICENSE, and a manifest that names what was built.
 * Resolves with the tarballs in the folder `to`, in the order of `libraries`. Throws if one does not compile.
 */
export async function packLibraries(names: readonly Library[], to: string): Promise<string[]> {
  const built = await mkdtemp(path.join(tmpdir(), 'notify-pack-'));
  const folderOf = (name: Library): string => path.join(built, name);
  const last = Math.max(...names.map((name) => libraries.indexOf(name)));
  try {
    // A library compiles against those before it, so these are built even if they are not wanted.
    for (const name of libraries.slice(0, last + 1)) await build(name, folderOf);
    return libraries.filter((name) => names.includes(name)).map((name) => npmPack(folderOf(name), to));
  } finally {
    await rm(built, { recursive: true, force: true });
  }
}

async function build(name: Library, folderOf: (name: Library) => string): Promise<void> {
  const folder = folderOf(name);
  await mkdir(folder);
  await compile(name, folder, folderOf);
  await writeDeclarations(folder);
  await writeFile(
    path.join(folder, 'package.json'),
    `${JSON.stringify(await builtManifest(name), null, 2)}\n`,
  );
  await copyFile(path.join(root, 'packages', name, 'README.md'), path.join(folder, 'README.md'));
  await copyFile(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
}

async function compile(name: Library, folder: string, folderOf: (name: Library) => string): Promise<void> {
  const source = path.join(root, 'packages', name, 'src');
  const config = path.join(folder, 'tsconfig.json');
  await writeFile(
    config,
    JSON.stringify({
      compilerOptions: {
        target: 'es2022',
        lib: ['es2023', 'dom', 'dom.iterable'],
        module: 'nodenext',
        strict: true,
        noUncheckedIndexedAccess: true,
        exactOptionalPropertyTypes: true,
        verbatimModuleSyntax: true,
        skipLibCheck: true,
        // What runs at the edge compiles without the types of Node.
        types: (await importsNode(source)) ? ['node'] : [],
        typeRoots: [path.join(root, 'node_modules/@types')],
        rewriteRelativeImportExtensions: true,
        declaration: true,
        noEmitOnError: true,
        rootDir: source,
        // Where `../package.json` is the manifest, as it is for the sources.
        outDir: path.join(folder, 'lib'),
        paths: Object.fromEntries(
          libraries.map((one) => [`@notify/${one}`, [path.join(folderOf(one), 'lib/index.d.ts')]]),
        ),
      },
      include: [`${source}/**/*.ts`],
      exclude: [`${source}/**/*.test.ts`],
    }),
  );
  await run(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', config]).catch(
    (error: { stdout: string }) => {
      throw new Error(`packages/${name} does not compile:\n${error.stdout}`);
    },
  );
  await rm(config);
}

async function importsNode(source: string): Promise<boolean> {
  for await (const file of glob('**/*.ts', { cwd: source })) {
    if (!file.endsWith('.test.ts') && / from 'node:/.test(await readFile(path.join(source, file), 'utf8')))
      return true;
  }
  return false;
}

/** In declarations the compiler leaves `./file.ts`, which not every resolver takes for `./file.d.ts`. */
async function writeDeclarations(folder: string): Promise<void> {
  for await (const file of glob('**/*.d.ts', { cwd: folder })) {
    const at = path.join(folder, file);
    const text = await readFile(at, 'utf8');
    await writeFile(at, text.replace(/((?:from|import)\s*\(?\s*["']\.{1,2}\/[^"']*)\.ts(["'])/g, '$1.js$2'));
  }
}

/** The manifest, with built files in place of sources, and real versions of our own packages. */
async function builtManifest(name: Library): Promise<Manifest> {
  const manifest = await manifestOf(name);
  const { exports, bin, dependencies, devDependencies: _, ...rest } = manifest;
  const built = Object.entries(exports ?? {}).map(([at, source]) => [
    at,
    { types: builtPath(source, '.d.ts'), default: builtPath(source, '.js') },
  ]);
  const versions = await Promise.all(
    Object.entries(dependencies ?? {}).map(async ([one, range]) => {
      const own = libraries.find((other) => one === `@notify/${other}`);
      return [one, own === undefined ? range : (await manifestOf(own)).version];
    }),
  );
  return {
    ...rest,
    ...(exports === undefined ? {} : { exports: Object.fromEntries(built) as Record<string, string> }),
    ...(bin === undefined ? {} : { bin: mapValues(bin, (source) => builtPath(source, '.js')) }),
    ...(dependencies === undefined
      ? {}
      : { dependencies: Object.fromEntries(versions) as typeof dependencies }),
  };
}

async function manifestOf(name: Library): Promise<Manifest> {
  return JSON.parse(await readFile(path.join(root, 'packages', name, 'package.json'), 'utf8')) as Manifest;
}

function builtPath(source: string, extension: string): string {
  return source.replace(/^\.\/src\//, './lib/').replace(/\.ts$/, extension);
}

function mapValues(
  record: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
