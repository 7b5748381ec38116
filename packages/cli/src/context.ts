import type { Notify } from '@notify/sdk';
import type { Config } from './config.ts';
import type { Description } from './description.ts';
import type { Connection } from './profiles/connection.ts';
import type { Output } from './output/output.ts';
import type { Questions } from './questions.ts';

/** What a command is given. */
export interface Context {
  readonly program: Program;
  readonly config: Config;
  /** `--profile`. Null without it. */
  readonly profile: string | null;
  readonly output: Output;
  readonly questions: Questions;
  /** The version of this program. */
  readonly version: string;
  /** Aborted by Ctrl-C and by SIGTERM. The program then ends within a second, or sooner by a second signal. */
  readonly signal: AbortSignal;
  /** Gives the command this long after the first signal, in ms. A second signal still ends the program at once. */
  readonly allowGrace: (graceMs: number) => void;
  /** All of standard input. */
  readonly readInput: () => Promise<string>;
  /** The service and the credential for it. Throws NotLoggedIn. */
  readonly connection: () => Promise<Connection>;
  /** A client of the service. Throws NotLoggedIn. */
  readonly client: () => Promise<Notify>;
  /** A client for what takes an API key: that of NOTIFY_API_KEY. Throws NotLoggedIn without one. */
  readonly keyClient: () => Promise<Notify>;
}

/** The program and its commands. */
export interface Program {
  readonly name: string;
  readonly commands: readonly Description[];
  /** What help says about the commands that share a first word. */
  readonly groups: Readonly<Record<string, string>>;
}
