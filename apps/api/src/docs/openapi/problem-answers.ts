import { type ProblemCode, problems } from '@notify/contract';
import { NoBody, type Route } from '../../http/route.ts';
import type { ShownSchema } from './example.ts';
import { type HeaderReferences, headersOf } from './headers.ts';

/** One response of an operation. */
export interface Answer {
  readonly description: string;
  readonly headers?: HeaderReferences;
  /** By media type. */
  readonly content?: Readonly<Record<string, Content>>;
}

/** Where the document has an object. */
export interface Reference {
  readonly $ref: string;
}

interface Content {
  readonly schema: ShownSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Reference>>;
}

/** One error response for each code, by code. */
export const problemExamples = Object.fromEntries(
  Object.entries(problems).map(([code, { status, title }]) => [
    code,
    {
      summary: code,
      value: {
        type: `/problems/${code}`,
        title,
        status,
        code,
        requestId: '01912d68-783e-7a52-9d3a-6c4f2b1e8a90',
      },
    },
  ]),
);

/** The error responses of a route, by status. What `sharedProblems` has is a reference. */
export function describeProblems(route: Route): Record<string, Answer | Reference> {
  return Object.fromEntries(
    answersOf(route).map(({ status, name, answer }) => [
      status,
      name === null ? answer : { $ref: `#/components/responses/${name}` },
    ]),
  );
}

/** The error responses of these routes that have a name, by name. */
export function sharedProblems(routes: readonly Route[]): Record<string, Answer> {
  const byName = new Map<string, Answer>();
  for (const { name, answer } of routes.flatMap(answersOf)) {
    if (name === null) continue;
    const known = byName.get(name) ?? answer;
    if (JSON.stringify(known) !== JSON.stringify(answer))
      throw new Error(`two error responses have the name ${name}`);
    byName.set(name, answer);
  }
  return Object.fromEntries([...byName].toSorted(([a], [b]) => a.localeCompare(b, 'en')));
}

interface NamedAnswer {
  readonly status: number;
  /** Null for one that is written where it belongs. */
  readonly name: string | null;
  readonly answer: Answer;
}

function answersOf(route: Route): NamedAnswer[] {
  const byStatus = Map.groupBy(problemsOf(route), (code) => statusOf(route, code));
  return Array.from(byStatus, ([status, codes]) => {
    const headers = headersOf(route, status);
    return { status, name: nameOf(codes, headers), answer: describeProblem(codes, headers) };
  });
}

/** The codes, and `api-key` if it has the headers of a key. More than three codes make no name: only sends have so many. */
function nameOf(codes: readonly ProblemCode[], headers: HeaderReferences): string | null {
  if (codes.length > 3) return null;
  return [...codes, ...('RateLimit-Limit' in headers ? ['api-key'] : [])].join('.');
}

/** The problems a route may answer: its own, and those of its credential and its input. */
export function problemsOf(route: Route): ProblemCode[] {
  const codes: ProblemCode[] = [...route.problems];
  if (route.credential === 'session' || route.credential === 'bearer')
    codes.push('unauthenticated', 'forbidden', 'rate-limited');
  if (route.credential === 'api-key') codes.push('invalid-api-key', 'forbidden', 'rate-limited');
  if (route.body !== NoBody) codes.push('malformed-json', 'too-large', 'unsupported-media-type');
  return [...new Set<ProblemCode>([...codes, 'invalid-request', 'internal', 'unavailable'])];
}

/** `limit-reached` is a 429 on sends, whose limit passes by itself, and has its usual status elsewhere. */
function statusOf({ credential, problems: own }: Route, code: ProblemCode): number {
  const sends = credential === 'api-key' || own.includes('rate-limited');
  return code === 'limit-reached' && sends ? 429 : problems[code].status;
}

function describeProblem(codes: readonly ProblemCode[], headers: HeaderReferences): Answer {
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].title}`).join('. '),
    headers,
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}
