import type { Wake } from '@notify/core';
import type { Db } from '@notify/db/connection';
import type { Secrets } from '@notify/runtime';
import type { OperatorSettings } from './config.ts';

/** Everything a command may touch. */
export interface OperatorDeps {
  readonly db: Db;
  readonly settings: OperatorSettings;
  /** Asks for turns; rejects when the queue is away. */
  readonly wake: (kind: 'dispatch' | 'webhooks', wakes: readonly Wake[]) => Promise<void>;
  readonly hash: (password: string) => Promise<string>;
  readonly secrets: () => Promise<Secrets>;
  /** The first line of standard input, without its end; empty when there is none. */
  readonly readLine: () => Promise<string>;
}

/** What a command answers: for scripts, and as a person reads it. */
export interface Answer {
  readonly value: unknown;
  readonly text: string;
}

/** The words behind the command's name, and its options. */
export interface Input {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | undefined>>;
}

export interface Command {
  /** What it is called by: `tenant create`. */
  readonly name: string;
  /** The words it takes, as help shows them. */
  readonly words: readonly string[];
  /** Its options and what they are, as help shows them; all take a value. */
  readonly options: Readonly<Record<string, string>>;
  readonly about: string;
  run(input: Input, deps: OperatorDeps): Promise<Answer>;
}

/** The operator asked for something that cannot be; the text says what, in one line. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
