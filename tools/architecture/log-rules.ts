import type { Rule } from './tree.ts';

const logFile = 'packages/runtime/src/logs/log.ts';
/** Programs that people read, and packages that are no part of a process. */
const mayPrint =
  /^(apps\/(operator|all-in-one|dashboard)|packages\/(testkit|cli|sdk|embedded|contract|telemetry))\//;

/**
 * Every line of a process is an event of the catalogue (packages/runtime/src/logs). A call such as `log.warn(…)` is
 * also a type error; this rule names the way out.
 */
export const linesAreEventsOfTheCatalogue: Rule = ({ packages }) =>
  packages
    .flatMap(({ files }) => files)
    .filter(({ isTest, path }) => !isTest && !mayPrint.test(path))
    .flatMap(({ path, text, imports }) => [
      ...(imports.includes('pino') && path !== logFile ? [`${path}: only ${logFile} may import pino`] : []),
      ...(/\bconsole\.\w+\(/.test(text) ? [`${path}: prints past the log; use log.tell`] : []),
      ...(/\blog\.(trace|debug|info|warn|error|fatal)\(/.test(text)
        ? [`${path}: logs past the catalogue; add an event to packages/runtime/src/logs and use log.tell`]
        : []),
    ]);
