import type { Field } from './fields.ts';

/** The hint below a label: the description, and the default. */
export function hintOf({ description, byDefault, input }: Field): string | undefined {
  const parts = [
    ...(description === null ? [] : [readable(description)]),
    ...(byDefault === null || input.kind === 'choice' ? [] : [`Default: ${byDefault}.`]),
  ];
  return parts.length === 0 ? undefined : parts.join(' ');
}

/** Removes the backticks around names in descriptions, which are written as in Markdown. */
export function readable(description: string): string {
  return description.replaceAll(/`([^`]+)`/g, '“$1”');
}
