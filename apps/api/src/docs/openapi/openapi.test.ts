import { subscribableEvents } from '@notify/core';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { formats } from '../../http/input/formats.ts';
import { routes } from '../../routes.ts';
import { describeApi, type OpenApi } from './openapi.ts';

/* What generators and readers need of openapi.json, beside the answers of the service that the contract suite compares. */

const document: OpenApi = JSON.parse(JSON.stringify(describeApi(routes, '1'))) as OpenApi;
const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { ...formats, binary: true } });
ajv.addSchema(document, 'openapi');

type Node = Readonly<Record<string, unknown>>;

/** Every object of the document, with the JSON pointer to it. */
function nodesIn(value: unknown, at = ''): { readonly at: string; readonly node: Node }[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, one]) =>
    nodesIn(one, `${at}/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`),
  );
  return Array.isArray(value) ? inside : [{ at, node: value as Node }, ...inside];
}
const nodes = nodesIn(document);
const nodeAt = new Map(nodes.map(({ at, node }) => [at, node]));

const compiled = new Map<string, ValidateFunction>();
/** A validator of the schema at this pointer. Schemas that refer to one component share one. */
function validatorAt(pointer: string): ValidateFunction {
  const { $ref } = nodeAt.get(pointer) as { readonly $ref?: string };
  const at = $ref === undefined ? pointer : $ref.slice(1);
  const validator = compiled.get(at) ?? ajv.compile({ $ref: `openapi#${at}` });
  compiled.set(at, validator);
  return validator;
}

function faultsOf(at: string, values: readonly unknown[]): unknown[] {
  const allows = validatorAt(at);
  return values.filter((value) => !allows(value)).map((value) => ({ at, value, errors: allows.errors }));
}

const isSchema = ({ at }: { readonly at: string }) => /\/(?:schema|schemas\/\w+)(?:\/|$)/.test(at);

/** The value of an example, by reference or not. */
function valueOf(example: unknown): unknown {
  const { $ref, value } = example as { readonly $ref?: string; readonly value?: unknown };
  const name = $ref?.split('/').at(-1);
  return name === undefined ? value : document.components.examples[name]?.value;
}

test('every example beside a schema is one that the schema allows', () => {
  const examples = nodes
    .filter(({ node }) => 'schema' in node && ('example' in node || 'examples' in node))
    .map(({ at, node: { example, examples = {} } }) => ({
      at: `${at}/schema`,
      values: [
        ...(example === undefined ? [] : [example]),
        ...Object.values(examples as object).map(valueOf),
      ],
    }));
  expect(examples.length).toBeGreaterThan(250);
  expect(examples.flatMap(({ at, values }) => faultsOf(at, values))).toEqual([]);
});

test('every example inside a schema is one that the schema allows', () => {
  const schemas = nodes.filter((one) => isSchema(one) && Array.isArray(one.node['examples']));
  expect(schemas.length).toBeGreaterThan(80);
  expect(schemas.flatMap(({ at, node }) => faultsOf(at, node['examples'] as unknown[]))).toEqual([]);
});

test('every body that is taken, answered or posted has an example', () => {
  const bodies = nodes.filter(({ at }) => /\/content\/application~1[^/]*json$/.test(at));
  expect(bodies.length).toBeGreaterThan(150);
  const bare = bodies.filter(({ node }) => !('example' in node) && !('examples' in node));
  expect(bare.map(({ at }) => at)).toEqual([]);
});

test('each event has a schema that is one of WebhookEventBody, and an example of itself', () => {
  expect(Object.keys(document.webhooks)).toEqual([...subscribableEvents, 'webhook.test']);
  const allows = validatorAt('/components/schemas/WebhookEventBody');
  const { mapping } = document.components.schemas['WebhookEventBody']!.discriminator!;
  for (const [name, { post }] of Object.entries(document.webhooks)) {
    const { schema, example } = post.requestBody.content['application/json'];
    expect([name, post.operationId, schema]).toEqual([name, name, { $ref: (mapping as Node)[name] }]);
    expect(example).toMatchObject({ event: name });
    expect([name, allows(example), allows.errors]).toEqual([name, true, null]);
  }
});

test('a signed event has the headers that a webhook gets', () => {
  for (const { post } of Object.values(document.webhooks))
    expect(post.parameters.map(({ name, in: place, required }) => [name, place, required])).toEqual([
      ['webhook-id', 'header', true],
      ['webhook-timestamp', 'header', true],
      ['webhook-signature', 'header', true],
      ['X-Svc-Signature', 'header', true],
    ]);
});

test('each operation tells the reader which scope it needs', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  for (const { operationId, description = '', security } of operations) {
    const scopes = security.flatMap((one) => Object.values(one).flat());
    const told = [...description.matchAll(/Needs the scope `([^`]+)`/g)].map(([, scope]) => scope);
    expect([operationId, told]).toEqual([operationId, scopes]);
  }
});

test('the reference fills in no parameter that may be missing, and each operation begins with its credential', () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, ...operation })),
  );
  const optional = operations.flatMap(({ parameters }) => parameters.filter(({ required }) => !required));
  expect(optional.length).toBeGreaterThan(40);
  // Scalar takes the first value of a set for an example.
  const hasValue = ({ schema }: (typeof optional)[number]): boolean =>
    'enum' in schema ||
    'examples' in schema ||
    nodeAt.get(schema.$ref?.slice(1) ?? '')?.['enum'] !== undefined;
  const filled = optional.filter(
    (one) => 'example' in one || (hasValue(one) && one.examples?.typical['x-disabled'] !== true),
  );
  expect(filled).toEqual([]);
  const first = ({ security }: (typeof operations)[number]): string | undefined =>
    Object.keys(security[0] ?? {})[0];
  const ofKeys = operations.filter(({ path }) => path.startsWith('/v1/notify/'));
  const others = operations.filter(({ path }) => /^\/v1\/(?!notify\/)/.test(path));
  expect(new Set(ofKeys.map(first))).toEqual(new Set(['apiKey']));
  expect(new Set(others.map(first))).toEqual(new Set(['serviceToken']));
});

test('sending comes first, and the events of a webhook after the webhooks', () => {
  const names = document.tags.map(({ name }) => name);
  expect(names[0]).toBe('Sending');
  expect(names.indexOf('Events')).toBe(names.indexOf('Webhooks') + 1);
});

test('no set of values stands in two places without a name', () => {
  const sets = nodes
    .filter((one) => isSchema(one) && Array.isArray(one.node['enum']) && one.node['enum'].length > 3)
    .map(({ node }) => JSON.stringify(node['enum']));
  expect(sets.filter((set, index) => sets.indexOf(set) !== index)).toEqual([]);
});

test('says whose it is, under which licence, and where it runs', () => {
  const { info, servers, externalDocs, tags } = document;
  expect(info.license).toEqual({ name: 'Apache License 2.0', identifier: 'Apache-2.0' });
  expect(info.contact.name).toMatch(/./);
  expect(externalDocs.url).toBe('/docs/guides');
  // The reference page sends its requests to the first one, and may send them nowhere else.
  expect(servers[0]!.url).toBe('/');
  expect(servers[1]!.variables).toMatchObject({
    scheme: { default: 'http' },
    host: { default: 'localhost:3000' },
  });
  expect(tags.filter(({ description }) => description === undefined)).toEqual([]);
});
