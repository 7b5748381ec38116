import type { Argument } from './arguments.ts';
import type { Option } from './options.ts';

/** What help and completion say of a command. */
export interface Description {
  /** The words that call it: `messages list`. */
  readonly name: string;
  /** One line for the lists of help. */
  readonly summary: string;
  /** What help says below the summary. */
  readonly details?: string;
  /** By name, in the order of the command line. */
  readonly arguments: Readonly<Record<string, Argument<unknown>>>;
  /** By name: `fileUrl` is `--file-url`. */
  readonly options: Readonly<Record<string, Option<unknown>>>;
  /** Whole command lines, each with what it does. At least one. */
  readonly examples: readonly Example[];
}

export interface Example {
  readonly does: string;
  /** Without the name of the program: `messages list --status failed`. */
  readonly line: string;
  /** What help shows where the program is a part of the line. Default: the program, then `line`. */
  readonly shown?: string;
}

/** `--file-url` of the option `fileUrl`. */
export function optionName(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
