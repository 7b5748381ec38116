import { withoutControls } from '@notify/contract';
import type { ErrorObject } from 'ajv';
import type { FieldError } from '../../problems/problem.ts';
import { timeFault } from './time-fault.ts';

/** The parts of a request, as `at` names them. */
export type Part = 'path' | 'query' | 'body';

/** Says in words which field is wrong, and how. */
export function explain(error: ErrorObject, part: Part): FieldError {
  return { at: `${part}${error.instancePath}${missingOrExtra(error)}`, message: messageOf(error, part) };
}

/** If a field is missing or unknown, the error names that field itself. */
function missingOrExtra({ keyword, params }: ErrorObject): string {
  const name: unknown =
    keyword === 'required'
      ? params.missingProperty
      : keyword === 'additionalProperties'
        ? params.additionalProperty
        : '';
  return typeof name === 'string' && name !== '' ? `/${pointerStep(name)}` : '';
}

/** One step of a JSON pointer (RFC 6901, 3). */
export function pointerStep(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

function messageOf(error: ErrorObject, part: Part): string {
  const { keyword, params } = error;
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      // Of a map, the names have a pattern.
      return error.parentSchema?.patternProperties === undefined
        ? 'is not a known field'
        : 'has an invalid name';
    case 'type':
      return `must be ${kinds[String(params.type)] ?? String(params.type)}`;
    case 'enum':
      return `must be one of: ${(params.allowedValues as unknown[]).join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`;
    case 'minimum':
      return `must be at least ${params.limit}`;
    case 'maximum':
      return `must be at most ${params.limit}`;
    case 'pattern':
      return params.pattern === withoutControls
        ? 'must not contain control characters'
        : `has an invalid format${exampleOf(error)}`;
    case 'format':
      if (params.format === 'email') return 'must be a valid email address';
      if (params.format === 'date-time') return timeFault(String(error.data), part);
      return `has an invalid format${exampleOf(error)}`;
    case 'uniqueItems':
      return 'must not contain duplicates';
    case 'anyOf':
    case 'oneOf':
      return 'does not match any allowed schema';
    default:
      return countMessage(keyword, Number(params.limit)) ?? error.message ?? 'is invalid';
  }
}

const counted: Readonly<Record<string, readonly [string, string]>> = {
  minLength: ['at least', 'character'],
  maxLength: ['at most', 'character'],
  minItems: ['at least', 'item'],
  maxItems: ['at most', 'item'],
  minProperties: ['at least', 'field'],
  maxProperties: ['at most', 'field'],
};

function countMessage(keyword: string, limit: number): string | null {
  if (keyword.startsWith('min') && limit === 1) return 'must not be empty';
  const [bound, noun] = counted[keyword] ?? [];
  return bound === undefined ? null : `must have ${bound} ${limit} ${noun}${limit === 1 ? '' : 's'}`;
}

function exampleOf(error: ErrorObject): string {
  const examples: unknown = error.parentSchema?.examples;
  return Array.isArray(examples) && examples.length > 0 ? ` (example: ${String(examples[0])})` : '';
}
