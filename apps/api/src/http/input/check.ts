import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { explain, type Part } from './explain.ts';
import { formats } from './formats.ts';
import { type FieldError, invalidRequest } from '../../problems/problem.ts';
import { findUnstorable } from './unstorable.ts';
import { withoutNulls } from './without-nulls.ts';

/** Answers the value as the schema reads it, or throws a 422 that names every field at fault. */
export type Check = (value: unknown) => unknown;

/**
 * Above this many values the check stops at the first error, so that a hostile body does not produce a million errors.
 */
const maxValuesForAllErrors = 5_000;
const maxErrorsShown = 50;

/** A compiler of checks. It compiles each schema once, so one compiler serves a whole process. */
export function createCheckCompiler(): (schema: TSchema, part: Part) => Check {
  const options: Options = { strict: true, verbose: true, formats };
  const texts: Options = { coerceTypes: true };
  const compilers = {
    body: [new Ajv(options), new Ajv({ ...options, allErrors: true })],
    // Values in a path or a query are text, from which numbers and booleans are read.
    text: [new Ajv({ ...options, ...texts }), new Ajv({ ...options, ...texts, allErrors: true })],
  } as const;
  return (schema, part) => {
    const [first, all] = compilers[part === 'body' ? 'body' : 'text'];
    return createCheck(schema, part, first.compile(schema), all.compile(schema));
  };
}

function createCheck(schema: TSchema, part: Part, first: ValidateFunction, all: ValidateFunction): Check {
  return (given) => {
    const texts = findUnstorable(given, part);
    if (texts.errors.length > 0) throw invalidRequest(...texts.errors);
    const value = texts.nulls ? withoutNulls(schema, given) : given;
    if (first(value)) return value;
    const validate = texts.values > maxValuesForAllErrors ? first : all;
    validate(value);
    throw invalidRequest(...explainAll(validate, part));
  };
}

function explainAll(validate: ValidateFunction, part: Part): FieldError[] {
  const all = validate.errors ?? [];
  const errors = all.filter((error) => !isOfNull(error) && error.keyword !== 'if' && !isLooser(error, all));
  const explained = errors.map((error) => explain(error, part));
  const distinct = new Map(explained.map((error) => [`${error.at} ${error.message}`, error]));
  return [...distinct.values()].slice(0, maxErrorsShown);
}

/** Whether another error has a lower maximum of the same text, as for a text whose maximum depends on another field. */
function isLooser({ keyword, instancePath, params }: ErrorObject, all: readonly ErrorObject[]): boolean {
  if (keyword !== 'maxLength') return false;
  return all.some(
    (other) =>
      other.keyword === keyword && other.instancePath === instancePath && other.params.limit < params.limit,
  );
}

/** Whether it says no more than that the value of a field that may be null is not null. Another error says what is wrong with it. */
function isOfNull({ keyword, params, schema }: ErrorObject): boolean {
  if (keyword === 'type') return params.type === 'null';
  if (keyword !== 'anyOf') return false;
  const [, other, ...more] = schema as readonly { readonly type?: unknown }[];
  return other?.type === 'null' && more.length === 0;
}
