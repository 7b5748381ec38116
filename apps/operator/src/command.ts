import type { Wake } from '@notify/core';
import type { Db } from '@notify/db/connection';
import type { Secrets } from '@notify/runtime';
import type { KeyNames, OperatorSettings } from './config.ts';
import type { Terminal } from './top/live.ts';

/** Everything a command may touch. */
export interface OperatorDeps {
  readonly db: Db;
  readonly settings: OperatorSettings;
  /** Asks for turns. Rejects while the queue is away. */
  readonly wake: (kind: 'dispatch' | 'webhooks', wakes: readonly Wake[]) => Promise<void>;
  /** Writes to standard output before the answer: what is too large to be one. */
  readonly print: (text: string) => void;
  /** Tells a person how far the command is, in one line, beside its answer. */
  readonly progress: (line: string) => void;
  /** Whether the queue answers within 2 s. */
  readonly queueAnswers: () => Promise<boolean>;
  readonly hash: (password: string) => Promise<string>;
  readonly secrets: () => Promise<Secrets>;
  /** The versions of MASTER_KEYS and the key ids of JWT_SECRETS. An empty list for a setting that is not set. */
  readonly keyNames: () => Promise<KeyNames>;
  /** The terminal of a person who looks on; null without one. */
  readonly terminal: () => Terminal | null;
  /** Fires when the process is asked to end. */
  readonly ended: AbortSignal;
  /** The first line of standard input, without its line end; empty if there is none. */
  readonly readLine: () => Promise<string>;
  /** Asks a person at a terminal. Null without one. */
  readonly ask: (question: string) => Promise<string | null>;
}

/** The answer of a command, for scripts and as text for a person. */
export interface Answer {
  readonly value: unknown;
  readonly text: string;
  /** Whether the program exits with 1, because of what the answer says. Default false. */
  readonly isFailure?: boolean;
  /** Whether the answer has been printed, so that nothing follows, not even with `--json`. Default false. */
  readonly isWritten?: boolean;
}

/** The words behind the command's name, and its options. */
export interface Input {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | undefined>>;
  /** The options without a value that were given. */
  readonly flags: ReadonlySet<string>;
  /** Whether the answer is written as JSON. */
  readonly json: boolean;
}

export interface Command {
  /** The words that call it: `tenant create`. */
  readonly name: string;
  /** The arguments it takes, as help shows them. */
  readonly words: readonly string[];
  /** How many of the last arguments may be missing. Default 0. */
  readonly optionalWords?: number;
  /** Its options and their descriptions, as help shows them. Each takes a value. */
  readonly options: Readonly<Record<string, string>>;
  /** The options without which it does nothing. Default: none. */
  readonly required?: readonly string[];
  /** Its options without a value and their descriptions. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Whether it works on a schema that does not fit this version. Default false. */
  readonly anySchema?: boolean;
  /** Whether it only reads, so that a standby or a read-only server will do. Default false. */
  readonly onlyReads?: boolean;
  readonly about: string;
  run(input: Input, deps: OperatorDeps): Promise<Answer>;
}

/** The operator's request cannot be carried out. The message says why in one line. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** How the process ends. */
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
