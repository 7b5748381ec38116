import path from 'node:path';
import { packageOf, type Rule, type SourceFile } from './tree.ts';

const source = 'packages/db/src/';

/**
 * Rows of a subtransaction have a number that no snapshot names, so readers of events would take them for seen
 * (docs/decisions/0013-event-list.md).
 */
export const nothingWritesInSubtransactions: Rule = ({ packages }) =>
  packages
    .flatMap(({ files }) => files.filter(({ isTest }) => !isTest))
    .filter(({ text }) => /\.savepoint\(|`\s*savepoint\s|\bexception\s+when\b/i.test(text))
    .map(({ path: at }) => `${at}: writes in a subtransaction, whose events no reader would see`);

/** A room exports only names that other packages import. */
export const databaseRoomsExportWhatOthersUse: Rule = ({ root, packages }) => {
  const others = [root, ...packages.filter(({ dir }) => dir !== 'packages/db')].flatMap(({ files }) => files);
  const words = new Set(
    others
      .filter(({ imports }) => imports.some((specifier) => packageOf(specifier) === '@notify/db'))
      .flatMap(({ text }) => text.match(/\w+/g) ?? []),
  );
  return databaseFiles(packages)
    .filter((file) => path.posix.basename(file.path) === 'index.ts')
    .flatMap((file) =>
      exportedNames(file.text)
        .filter((name) => !words.has(name))
        .map((name) => `${file.path}: exports ${name}, which no other package imports`),
    );
};

function databaseFiles(packages: Parameters<Rule>[0]['packages']): SourceFile[] {
  return packages.flatMap(({ files }) => files.filter((file) => file.path.startsWith(source)));
}

function exportedNames(text: string): string[] {
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) =>
    [...list.matchAll(/(?:type )?(\w+)\s*(?:,|$)/g)].map(([, name = '']) => name),
  );
}
