import { isStorable } from '@notify/core';
import { pointerStep } from './explain.ts';
import type { FieldError } from './problem.ts';

/** Deeper than any request of ours; deeper JSON would exhaust the stack of whoever walks it. */
const maxDepth = 32;

/** Looks through all of a value for text that cannot be stored (NUL, lone surrogates), and counts its values. */
export function findUnstorable(value: unknown, at: string): { errors: FieldError[]; values: number } {
  const errors: FieldError[] = [];
  let values = 0;

  function visit(part: unknown, place: string, depth: number): void {
    values += 1;
    if (typeof part === 'string') visitText(part, place);
    if (typeof part !== 'object' || part === null) return;
    if (depth >= maxDepth) {
      errors.push({ at: place, message: 'is nested too deeply' });
      return;
    }
    for (const [name, inner] of Object.entries(part)) {
      const innerPlace = `${place}/${pointerStep(name.toWellFormed())}`;
      if (!Array.isArray(part)) visitText(name, innerPlace);
      visit(inner, innerPlace, depth + 1);
    }
  }

  function visitText(text: string, place: string): void {
    if (!isStorable(text)) errors.push({ at: place, message: 'must not contain NUL or a lone surrogate' });
  }

  visit(value, at, 0);
  return { errors, values };
}
