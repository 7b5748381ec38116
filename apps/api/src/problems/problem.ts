import { type ProblemCode, problems } from '@notify/contract';

/** One field at fault. `at` is its place (`body/messages/3/to`, `query/limit`, `path/id`). */
export interface FieldError {
  readonly at: string;
  readonly message: string;
}

export interface ProblemOptions {
  /** An explanation of this occurrence for a person. The caller sees it. */
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  /** Seconds, for `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** The methods that the path takes, for `Allow`. An OPTIONS request is answered with them alone. */
  readonly allow?: readonly string[];
  /** The status, if it differs from the code's usual one: `limit-reached` is 429 if waiting helps. */
  readonly status?: number;
  readonly cause?: unknown;
}

/** An error that the caller sees. Any other error becomes `internal`, and its text stays private. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly status: number;
  readonly options: ProblemOptions;

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    super(problems[code].title, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.status = options.status ?? problems[code].status;
    this.options = options;
  }
}

/** A 422 about these fields. */
export function invalidRequest(...errors: readonly FieldError[]): Problem {
  return new Problem('invalid-request', { errors });
}

/** The answer to a method that the path does not take, OPTIONS included (RFC 9110, 9.3.7 and 15.5.6). */
export function otherMethod(allow: readonly string[]): Problem {
  return new Problem('method-not-allowed', { allow, detail: `This path takes ${allow.join(', ')}.` });
}

/** The body of the answer, as RFC 9457 has it. */
export function problemBody(problem: Problem, requestId: string): object {
  const { detail, errors } = problem.options;
  return {
    type: `/problems/${problem.code}`,
    title: problems[problem.code].title,
    status: problem.status,
    code: problem.code,
    ...(detail === undefined ? {} : { detail }),
    ...(errors === undefined || errors.length === 0 ? {} : { errors }),
    requestId,
  };
}
