import type { Field } from './fields.ts';

/** Inputs that show the default themselves. */
const showsDefault: ReadonlySet<Field['input']['kind']> = new Set(['choice', 'boolean']);

/** The hint below a label: the description, and the default. */
export function hintOf({ description, byDefault, input }: Field): string | undefined {
  const parts = [
    ...(description === null ? [] : [readable(description)]),
    ...(byDefault === null || showsDefault.has(input.kind) ? [] : [`Default: ${byDefault}.`]),
  ];
  return parts.length === 0 ? undefined : parts.join(' ');
}

/** Removes the backticks around names in descriptions, which are written as in Markdown. */
export function readable(description: string): string {
  return description.replaceAll(/`([^`]+)`/g, '“$1”');
}
