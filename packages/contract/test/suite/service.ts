import supertest, { type Response, type Test } from 'supertest';
import { type OpenApi, openApiOf } from './openapi.ts';

/** Credentials, headers and body of one call. `body` is sent as JSON; `raw` as it is, with `type`. */
export interface Call {
  readonly bearer?: string;
  readonly apiKey?: string;
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly raw?: string;
  /** Content type of `raw`; `application/json` unless given, none when null. */
  readonly type?: string | null;
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A running service. Every answer it gives is checked against the OpenAPI document it publishes. */
export interface Service {
  readonly url: string;
  call(method: Method, path: string, call?: Call): Promise<Response>;
  openApi(): Promise<OpenApi>;
}

/** The service at this address. */
export function serviceAt(url: string): Service {
  const agent = supertest(url);
  let document: Promise<OpenApi> | undefined;
  const openApi = () =>
    (document ??= agent.get('/openapi.json').then((response) => openApiOf(response.body)));
  return {
    url,
    openApi,
    async call(method, path, call = {}) {
      const response = await fill(agent[method](path), call);
      (await openApi()).expectDocumented(method, path, response);
      return response;
    },
  };
}

/** One for all callers of a test file, because each service reads the document and compiles its schemas anew. */
let underTest: Service | undefined;

/** The service under test: `BASE_URL`, which the suite's set-up gives its own service when the caller did not. */
export function serviceUnderTest(): Service {
  const url = process.env.BASE_URL;
  if (url === undefined) throw new Error('BASE_URL is not set: run the suite with npm test');
  if (underTest?.url !== url) underTest = serviceAt(url);
  return underTest;
}

async function fill(request: Test, call: Call): Promise<Response> {
  if (call.bearer !== undefined) request.set('authorization', `Bearer ${call.bearer}`);
  if (call.apiKey !== undefined) request.set('x-api-key', call.apiKey);
  if (call.cookie !== undefined) request.set('cookie', call.cookie);
  request.set(call.headers ?? {});
  if (call.body !== undefined) return request.type('application/json').send(JSON.stringify(call.body));
  if (call.raw === undefined) return request;
  request.type(call.type ?? 'application/json').send(call.raw);
  return call.type === null ? request.unset('Content-Type') : request;
}
