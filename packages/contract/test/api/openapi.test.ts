import { type OpenApi, follow, pointerTo } from '../suite/openapi.ts';
import { serviceUnderTest } from '../suite/service.ts';
import supertest from 'supertest';

const service = serviceUnderTest();
let openApi: OpenApi;
beforeAll(async () => {
  openApi = await service.openApi();
});

/** Every row of the interface's tables that this stage of the service has. */
const rows = [
  ['post', '/auth/register', '200'],
  ['post', '/auth/login', '200'],
  ['post', '/auth/refresh', '200'],
  ['post', '/auth/logout', '204'],
  ['get', '/auth/me', '200'],
  ['delete', '/auth/me', '204'],
  ['post', '/auth/password', '204'],
  ['get', '/auth/sessions', '200'],
  ['delete', '/auth/sessions/{id}', '204'],
  ['post', '/tenant/api-keys', '201'],
  ['get', '/tenant/api-keys', '200'],
  ['delete', '/tenant/api-keys/{id}', '204'],
  ['post', '/v1/notify/{channel}/text', '202'],
  ['post', '/v1/notify/{channel}/media', '202'],
  ['post', '/v1/notify/{channel}/bulk', '202'],
  ['get', '/v1/notify/messages/{id}', '200'],
  ['get', '/v1/messages', '200'],
  ['post', '/v1/messages', '202'],
  ['get', '/v1/messages/{id}', '200'],
  ['post', '/v1/messages/{id}/cancel', '200'],
  ['post', '/v1/messages/{id}/resend', '202'],
  ['get', '/v1/consent', '200'],
  ['get', '/v1/consent/{channelAccountId}/{recipient}', '200'],
  ['put', '/v1/consent/{channelAccountId}/{recipient}', '200'],
  ['delete', '/v1/consent/{channelAccountId}/{recipient}', '204'],
  ['get', '/v1/webhooks', '200'],
  ['post', '/v1/webhooks', '201'],
  ['get', '/v1/webhooks/{id}', '200'],
  ['delete', '/v1/webhooks/{id}', '204'],
  ['patch', '/v1/webhooks/{id}/enable', '200'],
  ['patch', '/v1/webhooks/{id}/disable', '200'],
  ['get', '/v1/events', '200'],
  ['get', '/v1/events/stream', '200'],
  ['get', '/v1/events/secret', '200'],
  ['get', '/v1/providers', '200'],
  ['post', '/v1/channel-accounts', '201'],
  ['get', '/v1/channel-accounts', '200'],
  ['get', '/v1/channel-accounts/{id}', '200'],
  ['patch', '/v1/channel-accounts/{id}', '200'],
  ['delete', '/v1/channel-accounts/{id}', '204'],
  ['post', '/v1/channel-accounts/{id}/verify', '200'],
  ['post', '/v1/channel-accounts/{id}/link', '202'],
  ['get', '/v1/channel-accounts/{id}/link', '200'],
  ['get', '/v1/channel-accounts/{id}/link/events', '200'],
  ['post', '/v1/channel-accounts/{id}/unlink', '204'],
  ['get', '/v1/notify/messages/{id}/media', '200'],
  ['get', '/v1/messages/{id}/media', '200'],
  ['get', '/v1/conversations', '200'],
  ['get', '/v1/conversations/{id}', '200'],
  ['get', '/v1/conversations/{id}/messages', '200'],
  ['post', '/v1/conversations/{id}/read', '200'],
  ['post', '/v1/channel-accounts/{id}/pairings', '201'],
  ['post', '/v1/channel-accounts/{id}/simulate-inbound', '202'],
] as const;

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

interface JsonContent {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>;
}

/** Every operation of the document: its method, path and definition. */
function operations() {
  return Object.entries(openApi.document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => ({ method, path, operation })),
  );
}

/** Every JSON body that an operation may answer, and where the document describes it. */
function jsonResponses() {
  return operations().flatMap(({ method, path, operation }) =>
    Object.keys(operation.responses).flatMap((status) => {
      const response = follow(openApi.document, pointerTo('paths', path, method, 'responses', status))!;
      const { content = {} } = response.value as { content?: Record<string, JsonContent> };
      return Object.entries(content)
        .filter(([type]) => type.endsWith('json'))
        .map(([type, one]) => ({ at: `${response.at}${pointerTo('content', type)}`, content: one }));
    }),
  );
}

/** Every value under this key, anywhere in the document. */
function everywhere(key: string, within: unknown): unknown[] {
  if (typeof within !== 'object' || within === null) return [];
  return Object.entries(within).flatMap(([name, value]) =>
    name === key && typeof value === 'string' ? [value] : everywhere(key, value),
  );
}

describe('GET /openapi.json', () => {
  test('answers an OpenAPI 3.1 document with a title and a version', () => {
    const { openapi, info } = openApi.document;
    expect(openapi).toMatch(/^3\.1\.\d+$/);
    expect(info).toMatchObject({ title: expect.stringMatching(/./), version: expect.stringMatching(/./) });
  });

  test.each(rows)('has %s %s with its answer %s', (method, path, status) => {
    expect(openApi.document.paths[path]?.[method]?.responses).toHaveProperty(status);
  });

  test('names each operation once', () => {
    const names = operations().map(({ operation }) => operation.operationId);
    expect(names).not.toContain(undefined);
    expect(new Set(names).size).toBe(names.length);
  });

  test('declares every parameter of every path, as required', () => {
    for (const { method, path, operation } of operations()) {
      const at = pointerTo('paths', path, method, 'parameters');
      const declared = (operation.parameters ?? []).map(
        (_, index) => follow(openApi.document, `${at}/${index}`)?.value,
      );
      for (const [, name] of path.matchAll(/\{([^}]+)\}/g)) {
        expect(declared).toContainEqual(expect.objectContaining({ name, in: 'path', required: true }));
      }
    }
  });

  test('has no reference that leads nowhere', () => {
    const dangling = everywhere('$ref', openApi.document).filter(
      (reference) => follow(openApi.document, String(reference).slice(1)) === undefined,
    );
    expect(dangling).toEqual([]);
  });

  test('has schemas that are valid JSON Schema 2020-12', () => {
    for (const { method, path, operation } of operations()) {
      for (const status of Object.keys(operation.responses)) {
        const response = follow(openApi.document, pointerTo('paths', path, method, 'responses', status));
        const { content } = (response?.value ?? {}) as { content?: Record<string, unknown> };
        for (const type of Object.keys(content ?? {})) {
          const pointer = `${response?.at}${pointerTo('content', type, 'schema')}`;
          expect(() => openApi.schemaAt(pointer)).not.toThrow();
        }
      }
    }
  });

  test('declares the credentials it asks for', () => {
    const schemes = openApi.document.components?.['securitySchemes'] ?? {};
    for (const { operation } of operations()) {
      for (const name of (operation.security ?? []).flatMap((needed) => Object.keys(needed))) {
        expect(schemes).toHaveProperty([name]);
      }
    }
    expect(Object.values(schemes)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'http', scheme: 'bearer' }),
        expect.objectContaining({
          type: 'apiKey',
          in: 'header',
          name: expect.stringMatching(/^x-api-key$/i),
        }),
      ]),
    );
  });

  test('shows an example of every body, one that its schema allows', () => {
    // A file is its own example.
    const bodies = operations().filter(
      ({ operation }) =>
        operation.requestBody !== undefined && !String(operation.operationId).endsWith('iles.upload'),
    );
    expect(bodies.length).toBeGreaterThan(10);
    for (const { method, path } of bodies) {
      const at = pointerTo('paths', path, method, 'requestBody', 'content', 'application/json');
      const { example } = follow(openApi.document, at)!.value as { example: unknown };
      const allows = openApi.schemaAt(`${at}/schema`);
      allows(example);
      expect({ path, method, errors: allows.errors }).toEqual({ path, method, errors: null });
    }
  });

  test('shows examples of every JSON response, which its schema allows', () => {
    for (const { at, content } of jsonResponses()) {
      const { example, examples = {} } = content;
      const named = Object.values(examples).map(({ $ref }) => follow(openApi.document, $ref.slice(1))!.value);
      const values = named.map((one) => (one as { readonly value: unknown }).value);
      if (example !== undefined) values.push(example);
      const allows = openApi.schemaAt(`${at}/schema`);
      const errors = values.map((value) => (allows(value) ? null : allows.errors));
      expect([at, errors]).toEqual([at, [null, ...errors.slice(1).map(() => null)]]);
    }
  });

  test('tells defaults in words, since generators demand the fields that have one', () => {
    const keywords = (part: unknown): string[] =>
      typeof part !== 'object' || part === null
        ? []
        : Object.entries(part).flatMap(([name, value]) => [name, ...keywords(value)]);
    const { paths, components } = openApi.document;
    expect(keywords({ paths, components })).not.toContain('default');
  });

  test('describes a body for every operation that takes one', () => {
    const withBody = operations().filter(({ operation }) => operation.requestBody !== undefined);
    expect(withBody.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining(['post /v1/notify/{channel}/text', 'post /v1/webhooks', 'post /auth/register']),
    );
  });
});

describe('GET /docs', () => {
  /** Follows redirects, so that `/docs` and `/docs/` both do. */
  const page = () => supertest(service.url).get('/docs').redirects(2);

  test('answers HTML', async () => {
    expect(await page()).toMatchObject({ status: 200, type: 'text/html' });
  });

  test('loads nothing from another host', async () => {
    const { text } = await page();
    const loaded = [
      ...text.matchAll(/<(?:script|link|img|iframe|source)\b[^>]*\b(?:src|href)\s*=\s*["']?([^"'\s>]+)/gi),
    ];
    const hosts = loaded.map(([, address = '']) => new URL(address, service.url).host);
    expect(new Set([...hosts, new URL(service.url).host]).size).toBe(1);
    expect(text).not.toMatch(/@import|url\(\s*["']?https?:/i);
  });

  test('serves what it loads, and that names no other host to load from either', async () => {
    const { text, request } = await page();
    const loaded = [...text.matchAll(/<(?:script|link)\b[^>]*\b(?:src|href)\s*=\s*["']?([^"'\s>]+)/gi)];
    for (const [, address = ''] of loaded) {
      const { pathname } = new URL(address, request.url);
      const asset = await supertest(service.url).get(pathname);
      expect(asset.status).toBe(200);
    }
  });
});
