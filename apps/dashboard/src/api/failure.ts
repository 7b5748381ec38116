import { retryAfterMs } from '@notify/core';
import type { Problem } from '@notify/sdk';

/** Why a call failed: the api refused it, there was no answer, or the session has ended. */
export type Failure = ApiProblem | Unreachable | LoggedOut;

/** The api refused, in the words of RFC 9457. Switch on `code`. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  readonly code: Problem['code'];
  /** The text to show to a person. */
  override readonly message: string;
  readonly requestId: string;
  readonly retryAfterSeconds: number | null;
  readonly errors: NonNullable<Problem['errors']>;
  private readonly problem: Problem;

  constructor(problem: Problem, retryAfterSeconds: number | null = null) {
    super();
    this.problem = problem;
    this.status = problem.status;
    this.code = problem.code;
    this.message = problem.detail ?? problem.title;
    this.requestId = problem.requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.errors = problem.errors ?? [];
  }

  /** A copy that tells its text at one field of a form. */
  at(field: string): ApiProblem {
    const errors = [{ at: `body/${field}`, message: this.message }];
    return new ApiProblem({ ...this.problem, errors }, this.retryAfterSeconds);
  }

  /** A copy with errors at other places, for a form with names of its own. */
  withErrorsAt(placeOf: (at: string) => string): ApiProblem {
    const errors = this.errors.map(({ at, message }) => ({ at: placeOf(at), message }));
    return new ApiProblem({ ...this.problem, errors }, this.retryAfterSeconds);
  }
}

/** There was no answer, or one that is not from the api. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  /** The status that a proxy answered in the api's place; null without an answer. */
  readonly status: number | null;

  constructor(cause?: unknown, status: number | null = null) {
    const by = status === null ? '' : ` The proxy in front of it answers ${status}.`;
    super(`Cannot reach Notify.${by}`, { cause });
    this.status = status;
  }
}

/** The session is over. The router then shows the login page. */
export class LoggedOut extends Error {
  override readonly name = 'LoggedOut';
  constructor() {
    super('You are logged out.');
  }
}

/** The failure behind an unsuccessful answer. A proxy's error page counts as no answer. */
export async function failureOf(answer: Response): Promise<ApiProblem | Unreachable> {
  const body: unknown = await answer.json().catch(() => null);
  if (!isProblem(body)) return new Unreachable(undefined, answer.status);
  const waitMs = retryAfterMs(answer.headers.get('Retry-After'), Date.now());
  return new ApiProblem(body, waitMs === null ? null : Math.ceil(waitMs / 1_000));
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'title' in body;
}

/** Whether not even a proxy answered. */
export function isCutOff(failure: unknown): failure is Unreachable {
  return failure instanceof Unreachable && failure.status === null;
}

/** Whether the same call may succeed a little later. */
export function isPassing(failure: unknown): failure is ApiProblem | Unreachable {
  if (failure instanceof Unreachable) return true;
  return failure instanceof ApiProblem && (failure.status === 503 || failure.code === 'rate-limited');
}

/**
 * The errors of a refused body, by field and in the api's order. Nested fields have dots (`settings.password`), as in the names of form
 * inputs. Each field has its first error only.
 */
export function fieldErrors(failure: unknown): Record<string, string> {
  if (!(failure instanceof ApiProblem)) return {};
  const fields = new Map<string, string>();
  for (const { at, message } of failure.errors) {
    if (!at.startsWith('body/')) continue;
    const field = fieldOf(at);
    if (!fields.has(field)) fields.set(field, sentence(message));
  }
  return Object.fromEntries(fields);
}

/** `body/settings/a~1b` → `settings.a/b` (RFC 6901). */
function fieldOf(at: string): string {
  const steps = at.slice('body/'.length).split('/');
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')).join('.');
}

function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}
