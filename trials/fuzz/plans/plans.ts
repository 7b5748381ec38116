import fc from 'fast-check';
import type { Api, Operation } from '../api.ts';
import type { Headers } from '../client.ts';
import { brokenBodies, hostileJson, mutated } from './hostile.ts';
import { bodiesOf, credentialOf, credentialsOf, type Provider, pathsOf } from './subjects.ts';
import { badBearers, badKeys } from './bad-credentials.ts';
import { oddHeaderSets } from './odd-headers.ts';
import { oddQueries, oddSegments } from './odd-paths.ts';
import { callbackPlans } from './callbacks.ts';
import type { HttpPlan, Plan } from './plan.ts';
import { rawCases } from './raw.ts';
import { strayPlans } from './strays.ts';
import type { CallbackAccount } from '../world/world.ts';

const json: Headers = [['content-type', 'application/json']];

export interface PlanMaterial {
  readonly api: Api;
  readonly providers: readonly Provider[];
  readonly callbacks: readonly CallbackAccount[];
  /** Names of access tokens that must not work. */
  readonly badTokens: readonly string[];
}

export interface Plans {
  /** All requests there are, in the proportions in which they are made. */
  readonly any: fc.Arbitrary<Plan>;
  /** By operation, in the order of the document: requests to it that it takes, and such that it refuses. */
  readonly own: readonly fc.Arbitrary<Plan>[];
}

/** What can be asked of the service. */
export function plansOf(material: PlanMaterial): Plans {
  return {
    any: anyPlans(material),
    own: material.api.operations.map((operation) => ownPlans(operation, material)),
  };
}

function ownPlans(operation: Operation, { providers, badTokens }: PlanMaterial): fc.Arbitrary<Plan> {
  return fc.oneof(
    { weight: 3, arbitrary: valid(operation, providers) },
    ...(operation.body === null ? [] : [{ weight: 1, arbitrary: mutatedBody(operation, providers) }]),
    ...(operation.credential === 'none'
      ? []
      : [{ weight: 1, arbitrary: badCredential(operation, providers, badTokens) }]),
  );
}

function anyPlans({ api, providers, callbacks, badTokens }: PlanMaterial): fc.Arbitrary<Plan> {
  const of = (make: (operation: Operation) => fc.Arbitrary<Plan>, among = api.operations) => {
    const made = among.map(make);
    return fc.nat({ max: made.length - 1 }).chain((index) => made[index]!);
  };
  const withBody = api.operations.filter(({ body }) => body !== null);
  const guarded = api.operations.filter(({ credential }) => credential !== 'none');
  const withIds = api.operations.filter(({ path }) => path.includes('{'));
  return fc.oneof(
    { weight: 30, arbitrary: of((operation) => valid(operation, providers)) },
    { weight: 25, arbitrary: of((operation) => mutatedBody(operation, providers), withBody) },
    { weight: 8, arbitrary: of((operation) => foreign(operation, providers), withIds) },
    { weight: 7, arbitrary: of((operation) => hostilePath(operation, providers)) },
    { weight: 6, arbitrary: of((operation) => badCredential(operation, providers, badTokens), guarded) },
    { weight: 8, arbitrary: of((operation) => oddHeaders(operation, providers)) },
    { weight: 4, arbitrary: of(brokenBody, withBody) },
    { weight: 4, arbitrary: strayPlans(api) },
    { weight: 6, arbitrary: fc.constantFrom(...rawCases).map((raw) => ({ what: `raw: ${raw.what}`, raw })) },
    { weight: 8, arbitrary: callbackPlans(callbacks) },
  );
}

/** A request that the document allows, by somebody who may make it. */
function valid(operation: Operation, providers: readonly Provider[]): fc.Arbitrary<HttpPlan> {
  return fc.record({
    what: fc.constant('valid'),
    operation: fc.constant(operation),
    method: fc.constant(operation.method),
    path: pathsOf(operation, 'my'),
    headers: credentialsOf(operation).map((headers) => [
      ...headers,
      ...(operation.body === null ? [] : json),
    ]),
    body: bodiesOf(operation, providers).map((value) =>
      operation.body === null ? null : JSON.stringify(value),
    ),
  });
}

function mutatedBody(operation: Operation, providers: readonly Provider[]): fc.Arbitrary<HttpPlan> {
  const body = fc.oneof(
    { weight: 9, arbitrary: mutated(bodiesOf(operation, providers)) },
    { weight: 1, arbitrary: hostileJson },
  );
  return fc
    .tuple(valid(operation, providers), body)
    .map(([plan, text]) => ({ ...plan, what: 'mutated', body: text }));
}

/** Everything right, but the ids in the path are another tenant's. */
function foreign(operation: Operation, providers: readonly Provider[]): fc.Arbitrary<HttpPlan> {
  const isId = operation.path.includes('{id}');
  return fc.tuple(valid(operation, providers), pathsOf(operation, 'other')).map(([plan, path]) => ({
    ...plan,
    what: 'foreign',
    path,
    body: plan.body === null ? null : String(plan.body).replaceAll('<<my.account', '<<other.account'),
    ...(isId ? { mustBe: 404 as const } : {}),
  }));
}

function hostilePath(operation: Operation, providers: readonly Provider[]): fc.Arbitrary<HttpPlan> {
  return fc
    .tuple(valid(operation, providers), fc.array(oddSegments, { minLength: 2, maxLength: 2 }), oddQueries)
    .map(([plan, values, search]) => {
      let next = 0;
      const path = operation.path.replaceAll(/\{\w+\}/g, () => values[next++] ?? '');
      const fits = !operation.path.includes('{');
      return {
        ...plan,
        what: 'hostile path',
        operation: fits ? operation : null,
        path: latin(path + search),
      };
    });
}

/** What a request line can hold: anything else cannot be sent by a client of HTTP. */
function latin(path: string): string {
  return path.replaceAll(/[^\u0021-\u007e]/g, '');
}

function badCredential(
  operation: Operation,
  providers: readonly Provider[],
  badTokens: readonly string[],
): fc.Arbitrary<HttpPlan> {
  const credentials =
    operation.credential === 'api-key' ? badKeys(operation) : badBearers(badTokens, operation.takesTokens);
  return fc.tuple(valid(operation, providers), credentials).map(([plan, headers]) => ({
    ...plan,
    what: 'bad credential',
    mustBe: 401 as const,
    headers: [...headers, ...(operation.body === null ? [] : json)],
  }));
}

/** A good request among headers that nobody should trip over. The type of a body may be wrong then. */
function oddHeaders(operation: Operation, providers: readonly Provider[]): fc.Arbitrary<HttpPlan> {
  return fc
    .tuple(valid(operation, providers), fc.constantFrom(...oddHeaderSets))
    .map(([plan, [headers, body]]) => ({
      ...plan,
      what: `odd headers: ${headers.at(-1)!.join(': ').slice(0, 40)}`,
      headers: [...plan.headers.filter(([name]) => name !== 'content-type'), ...headers],
      body: plan.body === null ? null : (body ?? plan.body),
    }));
}

function brokenBody(operation: Operation): fc.Arbitrary<HttpPlan> {
  return fc.tuple(pathsOf(operation, 'my'), fc.constantFrom(...brokenBodies)).map(([path, [what, body]]) => ({
    what: `broken body: ${what}`,
    operation,
    method: operation.method,
    path,
    headers: [...credentialOf(operation), ...json],
    body,
  }));
}
