import type { Field } from './fields.ts';

/** What stands below a label: the description, and what holds while nothing is entered. */
export function hintOf({ description, byDefault, required, input }: Field): string | undefined {
  const parts = [
    ...(description === null ? [] : [description]),
    ...(byDefault === null || input.kind === 'choice' ? [] : [`${byDefault} unless set.`]),
  ];
  if (parts.length > 0) return parts.join(' ');
  return required ? undefined : 'Optional.';
}
