import { processNames } from '@notify/core';
import { listLogLevels, type LogLevelInForce, resetLogLevels, setLogLevels } from '@notify/db/operations';
import { levelFault, parseLevelChange } from '@notify/runtime';
import { type Command, CommandError } from './command.ts';

const defaultFor = '15m';
const longestSeconds = 86_400;
const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };

export const logLevelCommand: Command = {
  name: 'log-level',
  words: ['levels'],
  optionalWords: 1,
  options: {
    for: `How long, such as 30s, 15m or 2h. At most 24h. Default ${defaultFor}.`,
    process: 'Only for processes of this name.',
  },
  about:
    'Changes log levels for a time, in at most 10 s: debug, or dispatch=debug,webhooks=warn. Without levels, lists the changes in force.',
  async run({ words: [levels], options }, { db }) {
    if (levels === undefined) {
      if (options.for !== undefined || options.process !== undefined)
        throw new CommandError('--for and --process need a level, such as dispatch=debug');
      return listed(await listLogLevels(db));
    }
    const process = checkProcess(options.process);
    const changes = levels.split(',').map((part) => checkLevel(part.trim()));
    const seconds = checkSeconds(options.for ?? defaultFor);
    const until = await setLogLevels(
      db,
      changes.map((change) => ({ ...change, process })),
      seconds,
    );
    const all = changes.map((change) => ({ ...change, process, until }));
    return { value: all, text: all.map(line).join('\n') };
  },
};

export const resetLogLevelsCommand: Command = {
  name: 'log-level --reset',
  words: [],
  options: {},
  about: 'Ends every change of log levels.',
  async run(_input, { db }) {
    const ended = await resetLogLevels(db);
    return { value: { ended }, text: ended === 1 ? 'ended 1 change' : `ended ${ended} changes` };
  },
};

function checkLevel(part: string) {
  const change = parseLevelChange(part);
  if (change === null) throw new CommandError(levelFault(part) ?? `${part} is no level`);
  return change;
}

function checkProcess(name: string | undefined): string | null {
  if (name === undefined) return null;
  if (processNames.some((one) => one === name)) return name;
  throw new CommandError(`--process: expected one of ${processNames.join(', ')}; got ${name}`);
}

function checkSeconds(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const seconds = Number(count) * (unitSeconds[unit] ?? NaN);
  if (seconds > 0 && seconds <= longestSeconds) return seconds;
  throw new CommandError(`--for: expected a time such as 30s, 15m or 2h, at most 24h; got ${text}`);
}

function listed(levels: readonly LogLevelInForce[]) {
  const text =
    levels.length === 0
      ? 'no changes: every process logs as its LOG_LEVEL says'
      : levels.map(line).join('\n');
  return { value: levels, text };
}

function line({ process, component, level, until }: LogLevelInForce): string {
  const where = process === null ? '' : ` in ${process}`;
  return `${component ?? 'all components'}: ${level}${where}, ${until === null ? 'without an end' : `until ${until.toISOString()}`}`;
}
