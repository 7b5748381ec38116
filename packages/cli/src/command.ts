import type { Context } from './context.ts';
import { UsageFailure } from './failures.ts';
import { checkedId, type Kind } from './kinds.ts';
import { type Description, optionName } from './description.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Argument } from './arguments.ts';
import type { Option } from './options.ts';

/** A command of the program, as commands.ts lists it. */
export interface Command extends Description {
  /** Resolves to an exit code other than 0 if the command worked and its result is a failure. */
  run(context: Context, input: Readonly<Record<string, unknown>>): Promise<ExitCode | void>;
}

type Arguments = Readonly<Record<string, Argument<unknown>>>;
type Options = Readonly<Record<string, Option<unknown>>>;
type Values<A extends Arguments, O extends Options> = {
  readonly [K in keyof A]: A[K] extends Argument<infer T> ? T : never;
} & { readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never };

interface Definition<A extends Arguments, O extends Options> extends Pick<
  Description,
  'name' | 'summary' | 'details' | 'examples'
> {
  readonly arguments?: A;
  readonly options?: O;
  run(context: Context, input: Values<A, O>): Promise<ExitCode | void>;
}

/** Defines a command. The types of its input follow from its arguments and options. */
// oxlint-disable-next-line typescript/no-empty-object-type
export function defineCommand<A extends Arguments = {}, O extends Options = {}>(
  definition: Definition<A, O>,
): Command {
  return {
    ...definition,
    arguments: definition.arguments ?? {},
    options: definition.options ?? {},
    run(context, input) {
      for (const [name, { kind }] of Object.entries(definition.arguments ?? {}))
        if (kind !== null) checkArgument(name, kind, input[name]);
      return definition.run(context, input as Values<A, O>);
    },
  };
}

function checkArgument(name: string, kind: Kind, typed: unknown): void {
  try {
    checkedId(kind, String(typed));
  } catch (error) {
    if (!(error instanceof UsageFailure)) throw error;
    throw new UsageFailure(`<${optionName(name).slice(2)}> ${error.message}: ${String(typed)}`);
  }
}
