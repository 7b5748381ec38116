import path from 'node:path';
import { processNames } from '@notify/core';
import { type Package, packageOf, relativeImports, type Rule, type SourceFile } from './tree.ts';

/** The packages that each package may import. An app may import all of them, and no other app. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  '@notify/core': [],
  '@notify/contract': ['@notify/core'],
  '@notify/telemetry': ['@notify/core'],
  '@notify/egress': ['@notify/core'],
  '@notify/smpp': ['@notify/core'],
  '@notify/channels': ['@notify/core', '@notify/contract', '@notify/egress'],
  '@notify/db': ['@notify/core', '@notify/telemetry'],
  '@notify/queue': ['@notify/core', '@notify/db', '@notify/telemetry'],
  '@notify/runtime': ['@notify/core', '@notify/telemetry'],
  '@notify/embedded': ['@notify/core'],
  '@notify/operations': ['@notify/core', '@notify/db', '@notify/runtime', '@notify/telemetry'],
  '@notify/batching': ['@notify/core', '@notify/telemetry'],
  '@notify/turns': [
    '@notify/core',
    '@notify/batching',
    '@notify/queue',
    '@notify/runtime',
    '@notify/telemetry',
  ],
  '@notify/dispatch': [
    '@notify/core',
    '@notify/contract',
    '@notify/channels',
    '@notify/egress',
    '@notify/db',
    '@notify/queue',
    '@notify/runtime',
    '@notify/telemetry',
    '@notify/batching',
    '@notify/turns',
  ],
  '@notify/ownership': [
    '@notify/core',
    '@notify/channels',
    '@notify/egress',
    '@notify/db',
    '@notify/queue',
    '@notify/runtime',
    '@notify/turns',
    '@notify/operations',
    '@notify/dispatch',
  ],
  // Integrators install these two, so they import nothing of the service.
  '@notify/sdk': [],
  '@notify/cli': ['@notify/sdk'],
};
/**
 * The testkit may import all packages, but no app. It starts apps by the scripts of package.json, or in the process of a
 * test by what they export as `start`. Only tests may import it.
 */
const testkit = '@notify/testkit';
const apps: readonly string[] = [...processNames, 'operator', 'all-in-one', 'dashboard'];
/** The dashboard runs in a browser over the public API: of ours it may use only what is pure, and what integrators use. */
const dashboard = '@notify/dashboard';
const dashboardMayImport = ['@notify/core', '@notify/sdk'];

/** Dependencies that are declared without an import, and why. */
const neededUnimported: Readonly<Record<string, readonly string[]>> = {
  // A font that a style sheet names, and the library that draws Mantine's charts.
  [dashboard]: ['@fontsource-variable/inter', 'recharts'],
  // Loaded by names that are put together: see apps/api/src/docs/highlight.ts.
  '@notify/api': ['highlight.js'],
};

/** A package without a place in the table would have no rules, so it is refused. */
export const everyPackageIsInTheTable: Rule = ({ packages }) =>
  packages
    .filter(({ name, dir }) => name !== `@notify/${path.posix.basename(dir)}` || !isPlaced({ name, dir }))
    .map(({ name, dir }) => `${dir}/package.json: ${name} is not in the dependency table`);

/** Imports follow the dependency table of the architecture. Tests may also import the testkit. */
export const importsFollowTheTable: Rule = ({ packages }) =>
  everyImport(packages).flatMap(({ pkg, file, name }) => {
    if (!name.startsWith('@notify/') || name === pkg.name) return [];
    if (name === testkit) return file.isTest ? [] : [`${file.path}: only tests may import ${testkit}`];
    if (pkg.name === dashboard)
      return file.isTest || dashboardMayImport.includes(name)
        ? []
        : [`${file.path}: the dashboard may not import ${name}`];
    const mayImportAll = pkg.dir.startsWith('apps/') || pkg.name === testkit;
    const allowed = mayImportAll ? name in mayImport : mayImport[pkg.name]?.includes(name);
    return allowed ? [] : [`${file.path}: ${pkg.name} may not import ${name}`];
  });

/** The testkit is never installed for a process, not even through another package. */
export const testkitIsForDevelopment: Rule = ({ packages }) =>
  packages
    .filter(({ dependencies }) => dependencies.includes(testkit))
    .map(({ dir }) => `${dir}/package.json: ${testkit} belongs into devDependencies`);

/** Code that a process runs never imports a test or a fixture. */
export const testsAreImportedByTests: Rule = ({ packages }) =>
  packages.flatMap((pkg) => {
    const tests = new Set(pkg.files.filter((file) => file.isTest).map((file) => file.path));
    return relativeImports(pkg.files.filter((file) => !file.isTest))
      .filter(({ target }) => tests.has(target))
      .map(({ file, specifier }) => `${file.path}: imports a test: ${specifier}`);
  });

/** Every import is declared. Hoisting hides a missing declaration until somebody installs the package alone. */
export const importsAreDeclared: Rule = ({ root, packages }) =>
  everyImport([root, ...packages]).flatMap(({ pkg, file, name }) => {
    if (name.startsWith('node:') || name === pkg.name) return [];
    const mayUseDev = file.isTest || pkg === root;
    const declared = [
      ...pkg.dependencies,
      ...(mayUseDev ? [...pkg.devDependencies, ...root.devDependencies] : []),
    ];
    return declared.includes(name) ? [] : [`${file.path}: ${name} is not declared in ${manifestOf(pkg)}`];
  });

/** Every declaration is used: dependencies by code that a process runs, devDependencies by a test. */
export const declarationsAreUsed: Rule = ({ packages }) =>
  packages.flatMap((pkg) => {
    const used = (files: readonly SourceFile[]): Set<string> =>
      new Set(files.flatMap(({ imports }) => imports.map(packageOf)).filter((name) => name !== null));
    const byProcesses = used(pkg.files.filter((file) => !file.isTest));
    const byAny = used(pkg.files);
    const needed = neededUnimported[pkg.name] ?? [];
    return [
      ...pkg.dependencies.filter((name) => !byProcesses.has(name) && !needed.includes(name)),
      ...pkg.devDependencies.filter((name) => !byAny.has(name) && !name.startsWith('@types/')),
    ].map((name) => `${manifestOf(pkg)}: ${name} is declared, yet not imported`);
  });

/** A relative import never leaves its package. */
export const relativeImportsStayInside: Rule = ({ packages }) =>
  packages.flatMap((pkg) =>
    relativeImports(pkg.files)
      .filter(({ file, target }) => file.path.startsWith(`${pkg.dir}/`) && !target.startsWith(`${pkg.dir}/`))
      .map(({ file, specifier }) => `${file.path}: reaches out of ${pkg.dir}: ${specifier}`),
  );

/**
 * A trial imports itself and the kit, and what packages and apps export. Where it starts a program of an app, it names the path.
 */
export const trialsStandBesideTheService: Rule = ({ root }) =>
  relativeImports(root.files)
    .filter(({ file, target }) => {
      const trial = trialOf(file.path);
      return trial !== null && !/^[^/]+$/.test(target) && ![trial, kit].includes(trialOf(target) ?? '');
    })
    .map(({ file, specifier }) => `${file.path}: a trial may not import ${specifier}`);

const kit = 'trials/kit';

/** `trials/bench` or `trials/drills/redis`, and `trials` for a file that belongs to none; null for other files. */
function trialOf(file: string): string | null {
  return /^trials(\/drills)?(\/[^/]+(?=\/))?/.exec(file)?.[0] ?? null;
}

function isPlaced({ name, dir }: Pick<Package, 'name' | 'dir'>): boolean {
  if (dir.startsWith('apps/')) return apps.includes(dir.slice('apps/'.length));
  return name in mayImport || name === testkit;
}

function everyImport(packages: readonly Package[]): { pkg: Package; file: SourceFile; name: string }[] {
  return packages.flatMap((pkg) =>
    pkg.files.flatMap((file) => {
      const names = file.imports.map(packageOf).filter((name) => name !== null);
      return names.map((name) => ({ pkg, file, name }));
    }),
  );
}

function manifestOf({ dir }: Package): string {
  return dir === '' ? 'package.json' : `${dir}/package.json`;
}
