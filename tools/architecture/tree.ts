import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';

/** One source file, with the facts that rules examine. */
export interface SourceFile {
  /** Path from the root, with `/`. */
  readonly path: string;
  /** True for code that no process of ours runs: tests, their fixtures, peers and programs. */
  readonly isTest: boolean;
  /** Without comments. */
  readonly text: string;
  /** The specifiers of its imports, as written. */
  readonly imports: readonly string[];
}

/** One workspace, or the root with its tools. */
export interface Package {
  readonly name: string;
  /** From the root, such as `packages/core`; empty for the root. */
  readonly dir: string;
  readonly dependencies: readonly string[];
  readonly devDependencies: readonly string[];
  readonly files: readonly SourceFile[];
}

export interface Tree {
  readonly root: Package;
  readonly packages: readonly Package[];
}

/** Examines the whole tree. Returns one line for each violation. */
export type Rule = (tree: Tree) => string[];

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Reads every package under `root`. Migrations count as files of `packages/db`, which runs them. */
export async function readTree(root: string): Promise<Tree> {
  const manifests = await list(root, ['{apps,packages}/*/package.json']);
  const packages = await Promise.all(
    manifests.map((manifest) => {
      const dir = path.posix.dirname(manifest);
      const own = [`${dir}/**/*.ts`, `${dir}/**/*.tsx`];
      return readPackage(root, dir, dir === 'packages/db' ? [...own, 'migrations/*.ts'] : own);
    }),
  );
  return { root: await readPackage(root, '', ['{tools,trials}/**/*.ts', '*.ts']), packages };
}

/**
 * The package that an import names, or null for a relative import: `@a/b/c` → `@a/b`, `pg/lib` → `pg`, `node:fs`
 * unchanged.
 */
export function packageOf(specifier: string): string | null {
  return /^(@[^/]+\/[^/]+|[^./][^/]*)/.exec(specifier)?.[0] ?? null;
}

/** The relative imports of `files`, each with the path it resolves to. */
export function relativeImports(
  files: readonly SourceFile[],
): { file: SourceFile; specifier: string; target: string }[] {
  return files.flatMap((file) =>
    file.imports
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => ({
        file,
        specifier,
        target: path.posix.join(path.posix.dirname(file.path), specifier),
      })),
  );
}

async function readPackage(root: string, dir: string, patterns: readonly string[]): Promise<Package> {
  const manifest = JSON.parse(await readFile(path.join(root, dir, 'package.json'), 'utf8')) as Manifest;
  const files = await list(root, patterns);
  return {
    name: manifest.name,
    dir,
    dependencies: Object.keys(manifest.dependencies ?? {}),
    devDependencies: Object.keys(manifest.devDependencies ?? {}),
    files: await Promise.all(files.map((file) => readSource(root, file))),
  };
}

async function readSource(root: string, file: string): Promise<SourceFile> {
  const text = withoutComments(await readFile(path.join(root, file), 'utf8'));
  const isTest = /(^|\/)(test|peer|e2e)\/|\.test\.tsx?$/.test(file);
  return { path: file, isTest, text, imports: importsOf(text) };
}

async function list(root: string, patterns: readonly string[]): Promise<string[]> {
  const found = await Array.fromAsync(
    glob(patterns, { cwd: root, exclude: (name) => name.includes('node_modules') || name === 'dist' }),
  );
  return found.map((file) => file.replaceAll(path.sep, '/')).sort();
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[^]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

function importsOf(text: string): string[] {
  const statement = /^(?:import|export)\s[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/gm;
  const bare = /^import\s*['"]([^'"]+)['"]/gm;
  const dynamic = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;
  return [statement, bare, dynamic].flatMap((pattern) =>
    Array.from(text.matchAll(pattern), ([, specifier = '']) => specifier),
  );
}
