import type { Field } from './fields.ts';

/** What stands below a label: the description, and what holds while nothing is entered. */
export function hintOf({ description, byDefault, input }: Field): string | undefined {
  const parts = [
    ...(description === null ? [] : [readable(description)]),
    ...(byDefault === null || input.kind === 'choice' ? [] : [`Default: ${byDefault}.`]),
  ];
  return parts.length === 0 ? undefined : parts.join(' ');
}

/** Names in descriptions stand between backticks, as in Markdown. */
export function readable(description: string): string {
  return description.replaceAll(/`([^`]+)`/g, '“$1”');
}
