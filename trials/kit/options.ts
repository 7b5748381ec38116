import { parseArgs, type ParseArgsConfig } from 'node:util';

/** The kinds of options: one that is there or not, one with a value, one that can be repeated. */
export const flag = { type: 'boolean', default: false } as const;
export const text = { type: 'string' } as const;
export const texts = { type: 'string', multiple: true, default: [] as string[] } as const;

type Kinds = NonNullable<ParseArgsConfig['options']>;
type Values<Known extends Kinds> = ReturnType<typeof parseArgs<{ options: Known }>>['values'];
type With<Name extends string> = { readonly [Each in Name]?: string | undefined };

/** The values of the options that a trial knows. Throws, in one line, for another one, or for anything beside options. */
export function readValues<Known extends Kinds>(args: readonly string[], known: Known): Values<Known> {
  return parseArgs({ args: [...args], options: known }).values;
}

/** As `readValues`, with the words beside options: what a trial shall run. */
export function readNames<Known extends Kinds>(
  args: readonly string[],
  known: Known,
): { readonly values: Values<Known>; readonly names: readonly string[] } {
  const { values, positionals } = parseArgs({ args: [...args], options: known, allowPositionals: true });
  return { values, names: positionals };
}

/** The whole number that an option gives, or `otherwise`. Throws, in one line, for anything else. */
export function numberOf<Name extends string>(values: With<Name>, name: Name, otherwise: number): number {
  const number = Number(values[name] ?? otherwise);
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`--${name} must be a whole number`);
  return number;
}

/** The seed of the random choices: that of `--seed`, or a new one. */
export function seedOf(values: With<'seed'>): number {
  return numberOf(values, 'seed', Math.floor(Math.random() * 2 ** 31));
}

/** The messages a second of `--rate`, or `otherwise`. Throws, in one line, if there are none. */
export function rateOf(values: With<'rate'>, otherwise: number): number {
  const rate = Number(values.rate ?? otherwise);
  if (!(rate > 0)) throw new Error('--rate must be a number above 0');
  return rate;
}

/** Finds one of `all` by its name. Throws, in one line, for another name. */
export function named<One extends { readonly name: string }>(
  what: string,
  all: readonly One[],
): (name: string) => One {
  return (name) => {
    const found = all.find((one) => one.name === name);
    if (found === undefined) throw new Error(`there is no ${what} "${name}": see --list`);
    return found;
  };
}
