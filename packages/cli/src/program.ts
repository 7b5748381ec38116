import { Argument, Command as Commander, Help, InvalidArgumentError, Option } from 'commander';
import type { Argument as ArgumentOf } from './arguments.ts';
import type { Command } from './command.ts';
import type { Program } from './context.ts';
import { type Description, type Example, optionName } from './description.ts';
import { exitCodesHelp } from './exit-codes.ts';
import { UsageFailure } from './failures.ts';
import type { Option as OptionOf } from './options.ts';

/** A command line that was understood. */
export interface Call {
  readonly command: Command;
  readonly input: Readonly<Record<string, unknown>>;
  readonly json: boolean;
  readonly profile: string | null;
}

/** Where the parser writes help and what is wrong with a command line. */
export interface ParserOutput {
  readonly version: string;
  readonly writeOut: (text: string) => void;
  readonly writeErr: (text: string) => void;
}

/** The parser of the program's command line. It calls `act` for a command; it throws CommanderError for the rest. */
export function parserOf(
  described: Program,
  commands: readonly Command[],
  output: ParserOutput,
  act: (call: Call) => Promise<void>,
): Commander {
  const { name } = described;
  const program = new Commander(name)
    .description('Send messages with Notify, follow them, and receive webhooks on your own machine.')
    .version(output.version, '-V, --version', 'Show the version.')
    .option('--json', 'Print JSON on standard output. Notes go to standard error.')
    .option('--profile <name>', 'Use this saved login. Default: NOTIFY_PROFILE, or "default".')
    .helpOption('-h, --help', 'Show help.')
    .helpCommand('help [command]', 'Show the help of a command.')
    .configureOutput(output)
    // Choices and defaults are in our own words.
    .configureHelp({ optionDescription: ({ description }) => description })
    .exitOverride()
    .addHelpText(
      'after',
      `${examplesOf(name, programExamples)}\n\n${exitCodesHelp}\n\nEnvironment:\n${environmentHelp}`,
    );
  const parents = new Map<string, Commander>();
  for (const command of commands) {
    const parent = parentOf(command, program, parents, described);
    addCommand(
      parent,
      command,
      `${examplesOf(name, command.examples)}\n\n${everywhereOf(name)}`,
      act,
    ).showHelpAfterError(`  See ${name} ${command.name} --help`);
  }
  return program;
}

/** How many examples the help of a group shows. */
const examplesOfGroup = 2;

const programExamples: readonly Example[] = [
  { does: 'Log in to your own service', line: 'login --url https://notify.example.com' },
  { does: 'Send a text', line: 'send --channel sms --to +15550001000 --text "Hello from Notify"' },
  {
    does: 'Receive webhooks on your own machine',
    line: 'listen --forward-to http://localhost:4000/webhooks/notify',
  },
];

const environmentHelp = `  NOTIFY_URL, NOTIFY_TOKEN  the service and its service token, instead of a login
  NOTIFY_PROFILE            the saved login to use
  NO_COLOR                  no colours
  TZ                        the time zone in which times are shown`;

/** The words of a command after its group. */
function leafOf(command: Description): string {
  return command.name.split(' ').at(-1) ?? command.name;
}

function parentOf(
  command: Description,
  program: Commander,
  parents: Map<string, Commander>,
  { name, commands, groups }: Program,
): Commander {
  const [group, leaf] = command.name.split(' ');
  if (group === undefined || leaf === undefined) return program;
  const found = parents.get(group);
  if (found !== undefined) return found;
  const leaves = commands.filter((one) => one.name.startsWith(`${group} `));
  const examples = leaves.flatMap((one) => one.examples.slice(0, 1)).slice(0, examplesOfGroup);
  const added = program
    .command(group)
    .description(groups[group] ?? '')
    .usage('[command]')
    .addHelpText('after', `${examplesOf(name, examples)}\n\n${everywhereOf(name)}`);
  parents.set(group, added);
  return added;
}

function addCommand(
  parent: Commander,
  command: Command,
  examples: string,
  act: (call: Call) => Promise<void>,
): Commander {
  const added = parent
    .command(leafOf(command))
    .summary(command.summary)
    .description(command.details === undefined ? command.summary : `${command.summary}\n\n${command.details}`)
    .addHelpText('after', examples);
  const names = Object.keys(command.arguments);
  for (const [name, one] of Object.entries(command.arguments)) added.addArgument(parsedArgument(name, one));
  for (const [name, one] of Object.entries(command.options)) {
    added.addOption(parsedOption(name, one));
    if (one.alias !== null)
      added.addOption(
        parsedOption(one.alias, { ...one, required: false })
          .hideHelp()
          .conflicts(name),
      );
  }
  if (Object.keys(command.options).length === 0)
    added.configureHelp({ ...added.configureHelp(), commandUsage: usageWithoutOptions });
  const flags = Object.fromEntries(
    Object.entries(command.options).flatMap(([name, { value }]) => (value === null ? [[name, false]] : [])),
  );
  return added.action(async () => {
    const { json, profile, ...options } = added.optsWithGlobals<Record<string, unknown>>();
    const renamed = Object.entries(command.options).flatMap(([name, { alias }]) =>
      alias !== null && options[alias] !== undefined ? [[name, options[alias]] as const] : [],
    );
    await act({
      command,
      input: {
        ...flags,
        ...options,
        ...Object.fromEntries(renamed),
        ...Object.fromEntries(names.map((name, at) => [name, added.processedArgs[at]])),
      },
      json: json === true,
      profile: typeof profile === 'string' ? profile : null,
    });
  });
}

function parsedArgument(name: string, { about, required, choices }: ArgumentOf<unknown>): Argument {
  const word = optionName(name).slice(2);
  const parsed = new Argument(required ? `<${word}>` : `[${word}]`, about);
  return choices === null ? parsed : parsed.choices(choices);
}

/** `notifyctl webhooks show <id>`: commander writes `[options]` for --help alone, too. */
function usageWithoutOptions(command: Commander): string {
  return new Help().commandUsage(command).replace(' [options]', '');
}

function parsedOption(name: string, option: OptionOf<unknown>): Option {
  const parsed = new Option(optionFlags(name, option), withChoices(option)).makeOptionMandatory(
    option.required,
  );
  if (option.value === null) return parsed;
  if (option.preset !== null) parsed.preset(option.preset);
  return parsed.argParser((typed: string, before: unknown) => {
    try {
      return option.read(typed, before);
    } catch (error) {
      if (error instanceof UsageFailure) throw new InvalidArgumentError(`It ${error.message}.`);
      throw error;
    }
  });
}

/** `--file-url <url>` of the option `fileUrl`. */
function optionFlags(name: string, { value }: OptionOf<unknown>): string {
  return value === null ? optionName(name) : `${optionName(name)} ${value}`;
}

function withChoices({ about, choices, required }: OptionOf<unknown>): string {
  const values = choices === null || choices.length > 8 ? '' : ` One of ${choices.join(', ')}.`;
  return `${about}${values}${required ? ' Required.' : ''}`;
}

/** What the help of a command says about the options that every command has. */
function everywhereOf(program: string): string {
  return `Every command takes --json and --profile too: see ${program} --help`;
}

function examplesOf(program: string, examples: readonly Example[]): string {
  const shown = examples.map(
    ({ does, line, shown: whole }) => `  # ${does}\n  ${whole ?? `${program} ${line}`}`,
  );
  return `\nExamples:\n${shown.join('\n\n')}`;
}
