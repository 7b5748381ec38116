import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { Notify } from './notify.ts';

interface Operation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: { readonly content: object };
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

const document = JSON.parse(
  await readFile(path.resolve(import.meta.dirname, '../../../openapi.json'), 'utf8'),
) as { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

const operations = Object.entries(document.paths)
  .flatMap(([at, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ at, method, ...operation })),
  )
  .filter(({ operationId }) => !operationId.startsWith('auth.'));

interface Sent {
  readonly url: string;
  readonly init: RequestInit & { readonly headers: Readonly<Record<string, string>> };
}

type Method = (...given: unknown[]) => unknown;

/** The answer of an operation, empty. */
function emptyAnswer({ responses }: Operation): Response {
  const [status, { content }] = Object.entries(responses).find(([one]) => one.startsWith('2'))!;
  const type = Object.keys(content ?? {})[0];
  if (type === undefined) return new Response(null, { status: Number(status) });
  const body = type === 'application/json' ? '{"data":[],"nextCursor":null}' : '';
  return new Response(body, { status: Number(status), headers: { 'content-type': type } });
}

/** A body to recognise. */
function bodyOf({ content }: { readonly content: object }): object {
  const body = { marker: 'body', messages: [] };
  return '*/*' in content ? new Blob([JSON.stringify(body)]) : body;
}

/** Calls the method that the operation is named after, as its parameters say, and resolves with what was sent. */
async function callIt(operation: (typeof operations)[number]): Promise<Sent> {
  let sent: Sent | undefined;
  const left = new AbortController();
  const notify = new Notify({
    baseUrl: 'https://notify.example/below',
    apiKey: 'svc_live_key',
    token: operation.security.some((one) => 'serviceToken' in one) ? 'svc_tok_token' : 'access.token',
    fetch: async (url, init) => {
      sent ??= { url, init: init as Sent['init'] };
      // The stream of events would connect again.
      if (operation.operationId === 'events.stream') left.abort();
      return emptyAnswer(operation);
    },
  });
  const [group = '', verb = ''] = operation.operationId.split('.');
  const methods = (notify as unknown as Record<string, Record<string, Method> | undefined>)[group];
  if (methods?.[verb] === undefined) throw new Error(`there is no notify.${operation.operationId}`);
  const names = [...operation.at.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const hasQuery = operation.parameters.some((one) => one.in === 'query');
  const result = methods[verb](
    ...names.map((name) => `the ${name}`),
    ...(operation.requestBody === undefined ? [] : [bodyOf(operation.requestBody)]),
    ...(hasQuery ? [{ marker: 'query' }] : []),
    { signal: left.signal },
  );
  const steps = typeof result === 'object' && result !== null && 'next' in result;
  await (steps ? (result as AsyncGenerator).next() : result);
  return sent!;
}

test.each(operations.map((operation) => [operation.operationId, operation] as const))(
  '%s sends what the document says',
  async (_, operation) => {
    const { url, init } = await callIt(operation);
    const at = operation.at.replace(/\{(\w+)\}/g, (__, name) => `the%20${name}`);
    const hasQuery = operation.parameters.some((one) => one.in === 'query');
    const query = hasQuery ? '?marker=query' : '';
    expect(url).toBe(`https://notify.example/below${at}${query}`);
    expect(init.method).toBe(operation.method.toUpperCase());
    const text = init.body instanceof Blob ? await init.body.text() : init.body;
    const body = typeof text === 'string' ? (JSON.parse(text) as { marker?: string }) : null;
    const marked = operation.requestBody === undefined ? null : 'body';
    expect(body?.marker ?? null).toBe(marked);
    const byKey = operation.security.some((one) => 'apiKey' in one);
    expect([init.headers['x-api-key'], init.headers['authorization'] !== undefined]).toEqual(
      byKey ? ['svc_live_key', false] : [undefined, true],
    );
  },
);

test('there is no method without an operation', () => {
  const notify = new Notify({ baseUrl: 'https://notify.example' });
  const methods = Object.entries(notify).flatMap(([group, one]) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(one))
      .filter((verb) => verb !== 'constructor')
      .map((verb) => `${group}.${verb}`),
  );
  const known = new Set(operations.map(({ operationId }) => operationId));
  expect(methods.filter((method) => !known.has(method))).toEqual([]);
  expect(methods.length).toBeGreaterThan(40);
});
