import { parseArgs } from 'node:util';
import { type Answer, type Command, CommandError, type Input, type OperatorDeps } from './command.ts';
import { afterRestoreCommand } from './after-restore/after-restore.ts';
import { releaseSendsCommand } from './after-restore/release-sends.ts';
import { explainCommand } from './explain.ts';
import { deleteTenantCommand } from './delete-tenant.ts';
import { exportTenantCommand } from './export-tenant.ts';
import {
  blockCommand,
  resetPasswordCommand,
  setEmailCommand,
  setNameCommand,
  setPlanCommand,
  unblockCommand,
} from './control.ts';
import { logLevelCommand, resetLogLevelsCommand } from './log-level.ts';
import { passwordLinkCommand, verifyEmailCommand } from './links.ts';
import { recountUsageCommand } from './recount-usage.ts';
import { migrateCommand } from './migrate/migrate.ts';
import { rotateMasterKeyCommand } from './rotate-master-key.ts';
import { createTenantCommand, listTenantsCommand, showTenantCommand } from './tenants.ts';
import { topCommand } from './top/top.ts';
import { verifyBackupCommand } from './verify-backup/verify-backup.ts';
import { wakeAllCommand } from './upkeep.ts';
import { safeText } from './safe-text.ts';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  createTenantCommand,
  listTenantsCommand,
  showTenantCommand,
  exportTenantCommand,
  deleteTenantCommand,
  setPlanCommand,
  setNameCommand,
  setEmailCommand,
  blockCommand,
  unblockCommand,
  resetPasswordCommand,
  passwordLinkCommand,
  verifyEmailCommand,
  topCommand,
  explainCommand,
  wakeAllCommand,
  resetLogLevelsCommand,
  logLevelCommand,
  rotateMasterKeyCommand,
  verifyBackupCommand,
  afterRestoreCommand,
  releaseSendsCommand,
  recountUsageCommand,
  migrateCommand,
];

/** The request of a command line. Null means help. */
export interface Call {
  readonly command: Command;
  readonly input: Input;
  readonly json: boolean;
}

/** Reads a command line. Throws a CommandError that names its fault. */
export function parseCall(args: readonly string[]): Call | null {
  const command = commandOf(args);
  const wantsHelp = args.length === 0 || args.some((arg) => ['help', '--help', '-h'].includes(arg));
  if (wantsHelp) return null;
  if (command === undefined) throw new CommandError(`unknown command "${args.join(' ')}"; see --help`);
  const { values, positionals } = parseOptions(command, args.slice(command.name.split(' ').length));
  const least = command.words.length - (command.optionalWords ?? 0);
  if (positionals.length > command.words.length || positionals.length < least)
    throw new CommandError(`usage: ${usageOf(command)}`);
  const { json = false, ...others } = values;
  const given: Readonly<Record<string, unknown>> = others;
  const flags = Object.keys(command.flags ?? {}).filter((name) => given[name] === true);
  const options = Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
  return {
    command,
    json: json === true,
    input: { words: positionals, options, flags: new Set(flags), json: json === true },
  };
}

/** An answer as it is written. */
export interface Written {
  readonly text: string;
  readonly isFailure: boolean;
}

/** Runs a call and formats its answer as requested, in characters that cannot control the terminal. */
export async function answerTo(call: Call, deps: OperatorDeps): Promise<Written> {
  const {
    value,
    text,
    isFailure = false,
    isWritten = false,
  }: Answer = await call.command.run(call.input, deps);
  if (isWritten) return { text: '', isFailure };
  return { text: safeText(call.json ? JSON.stringify(value, null, 2) : text), isFailure };
}

function commandOf(args: readonly string[]): Command | undefined {
  return commands.find(({ name }) => `${args.join(' ')} `.startsWith(`${name} `));
}

/** What `--help` shows: of the command that the words name, with its options, or of all. */
export function helpFor(args: readonly string[], underNpm: boolean): string {
  const command = commandOf(args);
  if (command === undefined) return help(underNpm);
  const { options, flags = {}, about } = command;
  const told = [
    ...Object.entries(options).map(([name, text]) => [`--${name} …`, text] as const),
    ...Object.entries(flags).map(([name, text]) => [`--${name}`, text] as const),
    ['--json', 'prints JSON'] as const,
  ];
  const width = Math.max(...told.map(([option]) => option.length));
  return [
    `${programOf(underNpm)} ${usageOf(command)} [--json]`,
    '',
    ...wrapped(about),
    '',
    ...told.map(([option, text]) => `  ${option.padEnd(width)}  ${text}`),
  ].join('\n');
}

/** The text in lines of at most 110 columns, each with an indent. */
function wrapped(text: string, indent = ''): string[] {
  const lines = text.match(new RegExp(`.{1,${110 - indent.length}}(?: |$)`, 'g')) ?? [];
  return lines.map((line) => `${indent}${line.trimEnd()}`);
}

function programOf(underNpm: boolean): string {
  return underNpm ? 'npm run notify --' : 'notify';
}

/** The text of `--help`, with command lines of npm or of the installed program. */
export function help(underNpm: boolean): string {
  const program = programOf(underNpm);
  const lines = commands.flatMap((command) => [`  ${usageOf(command)}`, ...wrapped(command.about, '      ')]);
  return [
    `${program} <command> [--json]`,
    '',
    ...lines,
    '',
    '  all',
    '      Starts every process in one tree, for tests and CI. Settings are environment variables (docs/config.md).',
    '  new-credentials',
    '      Prints a key, a token and a webhook secret for the settings NOTIFY_SEED_… of "all".',
    '',
    'What is in brackets may be left out. "<command> --help" describes the options of a command.',
    '',
    '<tenant> is the ID or email address of a tenant. The commands work on DATABASE_URL or, if it is unset, on the',
    `running npm start of DATA_DIR. --json prints JSON${underNpm ? '; with npm run --silent notify -- …, nothing else' : ''}.`,
    '',
    'Without --password, a password is generated and shown. --password - reads one line from standard input. A',
    'password on the command line is visible to every user of this machine, in the process list.',
    '',
    'Examples:',
    `  ${program} tenant create --name Acme --email ada@example.com`,
    `  ${program} set-plan ada@example.com standard`,
    `  ${program} reset-password ada@example.com --password - < password.txt`,
    `  ${program} password-link ada@example.com`,
    `  ${underNpm ? 'npm run --silent notify --' : program} tenant list --json`,
    `  ${program} log-level dispatch=debug --for 15m`,
    `  ${program} explain msg_01912d68-783e-7a52-9d3a-6c4f2b1e8a90`,
    `  ${program} tenant export ada@example.com --to ./acme`,
    `  ${program} recount-usage --from 2026-01-30 --until 2026-01-31`,
  ].join('\n');
}

function parseOptions(command: Command, args: readonly string[]) {
  const names = Object.keys(command.options);
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  const flags = Object.fromEntries(
    Object.keys(command.flags ?? {}).map((name) => [name, { type: 'boolean' as const }]),
  );
  try {
    return parseArgs({
      args: [...args],
      options: { ...options, ...flags, json: { type: 'boolean' } },
      allowPositionals: true,
    });
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}

function usageOf(command: Command): string {
  const least = command.words.length - (command.optionalWords ?? 0);
  const words = command.words.map((word, at) => (at < least ? `<${word}>` : `[${word}]`));
  const { required = [] } = command;
  const options = Object.keys(command.options).map((name) =>
    required.includes(name) ? `--${name} …` : `[--${name} …]`,
  );
  const flags = Object.keys(command.flags ?? {}).map((name) => `[--${name}]`);
  return [command.name, ...words, ...options, ...flags].join(' ');
}
