import type { Readable, Writable } from 'node:stream';
import { confirm, isCancel, password, text } from '@clack/prompts';
import { exitCodes } from './exit-codes.ts';
import { CommandFailure, UsageFailure } from './failures.ts';

/** Questions to a person. Without a terminal none is asked: the command fails and names the option to use instead. */
export interface Questions {
  /** Whether there is somebody to ask. */
  readonly possible: boolean;
  /** A text that is not shown while it is typed. `instead` names the option for scripts. */
  readonly secret: (question: string, instead: string) => Promise<string>;
  readonly text: (
    question: string,
    options: { readonly initial: string; readonly instead: string },
  ) => Promise<string>;
  /** Resolves if the person agrees or `yes` is true; else the command ends. */
  readonly agreed: (question: string, yes: boolean) => Promise<void>;
}

export interface QuestionsOptions {
  readonly possible: boolean;
  readonly signal: AbortSignal;
  /** Default: the terminal. */
  readonly input?: Readable;
  /** Default: standard error, so that standard output stays clean. */
  readonly output?: Writable;
}

/** Asks on the terminal. */
export function openQuestions(options: QuestionsOptions): Questions {
  const { possible, signal, input = process.stdin, output = process.stderr } = options;
  const common = { signal, input, output };
  const demand = (instead: string): void => {
    if (!possible) throw new UsageFailure(`there is no terminal to ask on, so ${instead} is required`);
  };
  return {
    possible,
    async secret(question, instead) {
      demand(instead);
      return answered(await password({ ...common, message: question, mask: '•' }));
    },
    async text(question, { initial, instead }) {
      demand(instead);
      return answered(await text({ ...common, message: question, initialValue: initial }));
    },
    async agreed(question, yes) {
      if (yes) return;
      demand('--yes');
      if (!answered(await confirm({ ...common, message: question, initialValue: false })))
        throw new CommandFailure('nothing was changed');
    },
  };
}

function answered<T>(answer: T): Exclude<T, symbol> {
  if (isCancel(answer)) throw new CommandFailure('', { exitCode: exitCodes.interrupted });
  return answer as Exclude<T, symbol>;
}
