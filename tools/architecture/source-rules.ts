import path from 'node:path';
import type { Package, Rule, SourceFile } from './tree.ts';

/** Only the configuration reads the environment. */
export const onlyConfigReadsTheEnvironment: Rule = ({ packages }) =>
  processFiles(packages)
    .filter((file) => path.posix.basename(file.path) !== 'config.ts')
    .filter(({ text }) => /\bprocess\s*(\.|\[['"])env\b|\benv\b[^;]*from 'node:process'/.test(text))
    .map((file) => `${file.path}: only a file named config.ts may read process.env`);

const impure =
  /\b(Date\.now|new Date\(\)|Math\.random|performance\.now|process\.|setTimeout|setInterval|setImmediate|fetch\(|crypto\.)/;

/** Core is pure: the same arguments always give the same answer, without effects. */
export const coreIsPure: Rule = ({ packages }) =>
  packages
    .filter((pkg) => pkg.dir === 'packages/core')
    .flatMap((pkg) => pkg.files.filter((file) => !file.isTest))
    .flatMap((file) => [
      ...file.imports
        .filter((specifier) => !specifier.startsWith('.'))
        .map((specifier) => `${file.path}: core is pure, yet imports ${specifier}`),
      ...(impure.exec(file.text)?.slice(1) ?? []).map(
        (name) => `${file.path}: core is pure, yet uses ${name}`,
      ),
    ]);

/** The folders of `packages/channels` for what providers share. Every other one is a provider. */
const sharedByProviders = ['adapter', 'media', 'reading', 'requests', 'settings', 'templates'];

/** Every provider is registered and passes the conformance suite. */
export const providersAreRegisteredAndConform: Rule = ({ packages }) => {
  const files = packages.find(({ dir }) => dir === 'packages/channels')?.files ?? [];
  const source = 'packages/channels/src/';
  const inFolders = files.filter(
    ({ path: at }) => at.startsWith(source) && at.slice(source.length).includes('/'),
  );
  const folders = new Set(inFolders.map((file) => file.path.slice(source.length).split('/')[0] ?? ''));
  const providers = [...folders].filter((folder) => !sharedByProviders.includes(folder));
  const registered = files.find((file) => file.path === `${source}registry.ts`)?.imports ?? [];
  const conforming = files.filter(
    ({ path: at, imports }) =>
      at.endsWith('.test.ts') && imports.some((one) => one.endsWith('/conformance.ts')),
  );
  return providers.flatMap((provider) => [
    ...(registered.some((one) => one.startsWith(`./${provider}/`))
      ? []
      : [`${source}${provider}: is not in registry.ts`]),
    ...(conforming.some((file) => file.path.startsWith(`${source}${provider}/`))
      ? []
      : [`${source}${provider}: has no test that runs the conformance suite`]),
  ]);
};

const vague = ['utils', 'common', 'helpers', 'models', 'services'];

/** A folder is named after its content. */
export const foldersHaveNames: Rule = ({ root, packages }) => {
  const folders = new Set(
    [root, ...packages].flatMap(({ files }) => files.flatMap(({ path: at }) => parentsOf(at))),
  );
  return [...folders]
    .filter((folder) => vague.includes(path.posix.basename(folder)))
    .map((folder) => `${folder}: a folder is named for what it holds`);
};

/** A label or an address that is looked at before it is the only one makes a test of the browser fail now and then. */
export const browserTestsWait: Rule = ({ packages }) =>
  packages
    .flatMap(({ files }) => files.filter((file) => file.path.startsWith('apps/dashboard/e2e/')))
    .flatMap(({ path: at, text }) => [
      ...(/\.getByLabel\(\s*(?:'[^']*'|`[^`]*`|\w+)\s*(?:,\s*\{ exact: false \})?,?\s*\)/.test(text)
        ? [`${at}: getByLabel needs { exact: true }: another label may have the same words`]
        : []),
      ...(/\bexpect\((?:new URL\()?\w+\.url\(\)/.test(text)
        ? [`${at}: a page tells its address late: use waitForURL`]
        : []),
    ]);

function processFiles(packages: readonly Package[]): SourceFile[] {
  return packages
    .filter(({ dir }) => dir !== 'packages/testkit')
    .flatMap(({ files }) => files.filter(({ isTest }) => !isTest));
}

function parentsOf(file: string): string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
