import { isStorable } from '@notify/core';
import { pointerStep } from './explain.ts';
import type { FieldError } from '../../problems/problem.ts';

/** Deeper than any valid request. Deeper JSON would exhaust the stack of recursive code. */
const maxDepth = 32;
/** More values than any valid request has. Walking a million of them would block all other requests. */
export const maxValues = 20_000;
const maxErrors = 50;

/** The findings about a value. */
export interface Survey {
  readonly errors: readonly FieldError[];
  readonly values: number;
  /** Whether a null may be among them. */
  readonly nulls: boolean;
}

/**
 * Searches a value for text that cannot be stored (NUL, lone surrogates), and counts its values. Stops after 50 errors.
 * Also stops after 20,000 values, which is then the only error.
 */
export function findUnstorable(value: unknown, at: string): Survey {
  const seen = { values: 0, nulls: false };
  if (isStorableWhole(value, 0, seen)) return { errors: [], ...seen };
  return { ...findErrors(value, at), nulls: true };
}

/**
 * Whether every text can be stored, as in most requests. This takes a third of the time, because it tracks no
 * positions.
 */
function isStorableWhole(part: unknown, depth: number, seen: { values: number; nulls: boolean }): boolean {
  seen.values += 1;
  if (typeof part === 'string') return isStorable(part);
  if (part === null) seen.nulls = true;
  if (typeof part !== 'object' || part === null) return true;
  if (depth >= maxDepth || seen.values > maxValues) return false;
  if (Array.isArray(part)) {
    for (const inner of part) if (!isStorableWhole(inner, depth + 1, seen)) return false;
  } else {
    const fields = part as Readonly<Record<string, unknown>>;
    for (const name of Object.keys(fields))
      if (!isStorable(name) || !isStorableWhole(fields[name], depth + 1, seen)) return false;
  }
  return seen.values <= maxValues;
}

function findErrors(value: unknown, at: string): { errors: FieldError[]; values: number } {
  const errors: FieldError[] = [];
  const steps: (string | number)[] = [];
  let values = 0;

  function visit(part: unknown): void {
    values += 1;
    if (typeof part === 'string') visitText(part);
    if (typeof part !== 'object' || part === null) return;
    if (steps.length >= maxDepth) return addError('is nested too deeply');
    if (Array.isArray(part)) {
      for (let index = 0; index < part.length && goesOn(); index += 1) visitInner(index, part[index]);
      return;
    }
    for (const name of Object.keys(part)) {
      if (!goesOn()) return;
      visitInner(name, (part as Readonly<Record<string, unknown>>)[name]);
    }
  }

  function visitInner(step: string | number, inner: unknown): void {
    steps.push(step);
    if (typeof step === 'string') visitText(step);
    visit(inner);
    steps.pop();
  }

  function visitText(text: string): void {
    if (!isStorable(text)) addError('must not contain NUL or a lone surrogate');
  }

  function addError(message: string): void {
    const pointer = steps.map((step) => `/${pointerStep(String(step).toWellFormed())}`).join('');
    errors.push({ at: `${at}${pointer}`, message });
  }

  function goesOn(): boolean {
    return values <= maxValues && errors.length < maxErrors;
  }

  visit(value);
  if (values <= maxValues) return { errors: errors.slice(0, maxErrors), values };
  return { errors: [tooManyValues(at)], values };
}

/** The error about a part of a request that has too many values. */
export function tooManyValues(at: string): FieldError {
  return { at, message: `has more than ${maxValues} values` };
}
