import { ConnectionError, NotFoundError, Notify, type Retry } from '@notify/sdk';
import { CommanderError } from 'commander';
import type { Config } from './config.ts';
import type { Context, Program } from './context.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { NotLoggedIn, UsageFailure } from './failures.ts';
import { failureLines, exitCodeOf } from './output/failure-text.ts';
import { plain } from './output/plain.ts';
import { openOutput, type Output, type Terminal } from './output/output.ts';
import { styleOf } from './output/style.ts';
import { chooseConnection, type Connection, normalUrl } from './profiles/connection.ts';
import { commands, groups } from './commands.ts';
import { type Call, parserOf } from './program.ts';
import { missing } from './missing.ts';
import { openQuestions } from './questions.ts';
import { unreachable } from './unreachable.ts';

const program: Program = { name: 'notifyctl', commands, groups };

/** What the program finds around it. */
export interface Surroundings {
  /** Without the program itself. */
  readonly args: readonly string[];
  readonly config: Config;
  readonly version: string;
  readonly stdin: { readonly isTTY: boolean; readonly readAll: () => Promise<string> };
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  /** Aborted when the program is to end. */
  readonly signal: AbortSignal;
  /** Gives the command this long after the signal, in ms. */
  readonly allowGrace: (graceMs: number) => void;
}

/** Runs one command line and resolves to its exit code. Every failure ends as text on standard error, never as a throw. */
export async function runProgram(surroundings: Surroundings): Promise<ExitCode> {
  const { args, config, version, stdout, stderr, signal } = surroundings;
  let ending: ExitCode = exitCodes.done;
  let called: Call | null = null;
  let service: string | null = null;
  const red = styleOf(config.colours && stderr.isTTY === true).red;
  const output = {
    version,
    writeOut: (text: string) => void stdout.write(text),
    writeErr: (text: string) => void stderr.write(text.replace(/^error:/, red('error:'))),
  };
  const parser = parserOf(program, commands, output, async (call) => {
    called = call;
    ending =
      (await call.command.run(
        contextOf(call, surroundings, (url) => (service = url)),
        call.input,
      )) ?? exitCodes.done;
  });
  try {
    await parser.parseAsync(args, { from: 'user' });
    return ending;
  } catch (error) {
    if (error instanceof CommanderError) return afterParsing(error);
    if (!signal.aborted) {
      const lines = failureLines(explained(error, called, service), {
        name: nameOf(called),
        error: red('error:'),
      });
      for (const line of lines) stderr.write(`${line}\n`);
    }
    return exitCodeOf(error);
  }
}

/** Help and the version that were asked for are done; everything else that the parser ends with is wrong usage. */
function afterParsing({ exitCode }: CommanderError): ExitCode {
  return exitCode === 0 ? exitCodes.done : exitCodes.wrongUsage;
}

/** The failure with what the program knows about it: the address that was called, or the thing that was named. */
function explained(error: unknown, call: Call | null, service: string | null): unknown {
  if (error instanceof ConnectionError && service !== null) return unreachable(service, error);
  if (error instanceof NotFoundError && call !== null) return missing(call, error) ?? error;
  return error;
}

function nameOf(call: Call | null): string {
  return call === null ? program.name : `${program.name} ${call.command.name}`;
}

/** @param onService called with the address of the service as soon as it is known */
function contextOf(
  { json, profile }: Call,
  surroundings: Surroundings,
  onService: (url: string) => void,
): Context {
  const { config, version, stdin, stdout, stderr, signal, allowGrace } = surroundings;
  const output = openOutput({ stdout, stderr, json, colours: config.colours });
  const connection = async (): Promise<Connection> => {
    const chosen = await chooseConnection(config, profile);
    onService(chosen.url);
    return chosen;
  };
  return {
    program,
    config,
    profile,
    output,
    version,
    signal,
    allowGrace,
    connection,
    questions: openQuestions({ possible: stdin.isTTY && stderr.isTTY === true, signal }),
    async readInput() {
      if (stdin.isTTY)
        throw new UsageFailure('standard input is a terminal, and a file or a pipe is required');
      return stdin.readAll();
    },
    async client() {
      const { url, token } = await connection();
      return new Notify({ baseUrl: url, token, onRetry: (retry) => sayRetry(output, url, retry) });
    },
    async keyClient() {
      const { apiKey } = config;
      if (apiKey === null)
        throw new NotLoggedIn(
          'NOTIFY_API_KEY is not set',
          'One-time codes are sent and checked with an API key. notifyctl keys create makes one.',
        );
      const url = await addressFor(config, connection);
      onService(url);
      return new Notify({ baseUrl: url, apiKey, onRetry: (retry) => sayRetry(output, url, retry) });
    },
  };
}

/** NOTIFY_URL, else the service of the login. */
async function addressFor({ url }: Config, connection: () => Promise<Connection>): Promise<string> {
  return (url === null ? null : normalUrl(url)) ?? (await connection()).url;
}

function sayRetry({ note, noteStyle }: Output, url: string, { error, waitMs }: Retry): void {
  const told = error instanceof ConnectionError ? unreachable(url, error).message : error.message;
  note(noteStyle.dim(`${plain(told)}; trying again in ${Math.ceil(waitMs / 1000)} s`));
}
