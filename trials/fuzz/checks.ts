import type { Api } from './api.ts';
import type { Answer } from './client.ts';
import type { HttpPlan, Plan } from './plans/plan.ts';

/** What an answer is held against. */
export interface Rules {
  readonly api: Api;
  /** What only another tenant may see. */
  readonly markers: readonly string[];
}

/** Traces of the inside: stacks, files, SQL, the words of the database and of its driver. */
const inside =
  /node_modules|\.[mc]?[jt]s:\d+|\bat (?:async )?[\w.<>]+ \(|\b(?:select|insert into|update) .{0,80}\b(?:from|values|set|where)\b|violates|duplicate key|relation "|syntax error|invalid input|out of range|ECONN|EPIPE|postgres|ioredis|kysely|\[object Object\]|undefined is not|Cannot read|is not a function/i;

/** Everything wrong with one answer. `sent` is what the request said, which an answer may repeat. */
export function faultsOf(plan: Plan, answer: Answer, sent: string, rules: Rules): string[] {
  return [
    ...statusFaults(plan, answer),
    ...problemFaults(answer, rules),
    ...documentFaults(plan, answer, rules),
    ...leaks(answer, sent, rules),
  ];
}

function statusFaults(plan: Plan, { status }: Answer): string[] {
  if (status >= 500) return [`answered ${status}`];
  if ('raw' in plan || plan.mustBe === undefined || status === plan.mustBe) return [];
  if (isRefusalOfSend(plan, status)) return [];
  return [`answered ${status} in place of ${plan.mustBe}`];
}

/** Sends name the account in their body: another tenant's is a 422. */
function isRefusalOfSend({ mustBe, method, path }: HttpPlan, status: number): boolean {
  return mustBe === 404 && method === 'POST' && /^\/v1\/notify\/\w+\/\w+$/.test(path) && status === 422;
}

function problemFaults({ status, type, json, text, headers }: Answer, { api }: Rules): string[] {
  const faults: string[] = [];
  if (status < 400) return faults;
  if (text === '' && type === 'application/problem+json') return faults; // an answer to HEAD
  if (status === 405 && headers.allow === undefined) faults.push('a 405 without Allow');
  if (type !== 'application/problem+json') return [`a ${status} of type ${type || '(none)'}`];
  const fault = api.problemFault(json);
  if (fault !== null) return [fault];
  const problem = json as { readonly status: number; readonly requestId: string };
  if (problem.status !== status) faults.push(`its status is ${status} and says ${problem.status}`);
  const id = headers['x-request-id'];
  if (id !== undefined && id !== problem.requestId) faults.push('X-Request-Id is not the requestId');
  if (inside.test(text)) faults.push(`shows the inside: ${inside.exec(text)?.[0]}`);
  return faults;
}

function documentFaults(plan: Plan, answer: Answer, { api }: Rules): string[] {
  if ('raw' in plan || plan.operation === null || answer.status === 0) return [];
  const fault = api.faultOf(plan.operation, answer);
  return fault === null ? [] : [fault];
}

function leaks({ text, headers }: Answer, sent: string, { markers }: Rules): string[] {
  const all = `${text} ${JSON.stringify(headers)}`;
  return markers
    .filter((marker) => all.includes(marker) && !sent.includes(marker))
    .map((marker) => `shows another tenant's ${marker}`);
}
