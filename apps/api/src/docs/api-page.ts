import { providerErrorCodes } from '@notify/channels';
import { messageErrors, type ProblemKind, problems } from '@notify/contract';
import { exampleOf, type ShownSchema } from './example.ts';
import { type Html, html, page, prose } from './html.ts';
import type { OpenApi, Operation } from './openapi.ts';

/** The documentation as one page, generated from the OpenAPI document and the catalogue of errors. */
export function apiPage(api: OpenApi): string {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const byTag = [...Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? '')];
  const links = byTag.map(([tag]) => html`<a href="#${anchor(tag)}">${tag}</a>`);
  const groups = byTag.map(
    ([tag, group]) =>
      html`<h2 id="${anchor(tag)}">${tag}</h2>
        ${group.map(({ method, path, operation }) => section(method, path, operation, api))}`,
  );
  return page(
    'Notify API',
    html`<header>
        <h1>Notify API <small>${api.info.version}</small></h1>
        <p>${api.info.description} Also available as <a href="/openapi.json">OpenAPI 3.1</a>.</p>
        <nav>${links}<a href="#errors">Errors</a></nav>
      </header>
      <main>${groups}${errorTables()}</main>`,
  );
}

function anchor(tag: string): string {
  return tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

function section(method: string, path: string, operation: Operation, api: OpenApi): Html {
  const { summary, description, requestBody, parameters, responses } = operation;
  const body = requestBody?.content['application/json'];
  const done = Object.entries(responses).filter(([status]) => status < '300');
  const refused = Object.entries(responses).filter(([status]) => status >= '300');
  const inputs = parameters.map(({ name, in: place, required, schema }) =>
    fieldRow(`${name} (${place})`, required, schema),
  );
  return html`<section id="${operation.operationId}">
    <h3><code>${method.toUpperCase()} ${path}</code> ${summary}</h3>
    ${description === undefined ? '' : html`<p>${prose(description)}</p>`}
    <p class="credential">${credentialOf(operation)}</p>
    ${
      inputs.length === 0 && body === undefined
        ? ''
        : fieldTable('Request', [...inputs, ...fieldRows(body?.schema ?? {}, api)])
    }
    ${body === undefined ? '' : html`<pre>${JSON.stringify(body.example, null, 2)}</pre>`}
    ${done.map(([status, answer]) => answerOf(status, answer, api))}
    <ul>
      ${refused.map(([status, { description: text }]) => html`<li><b>${status}</b> ${prose(text)}</li>`)}
    </ul>
  </section>`;
}

function credentialOf({ security }: Operation): Html {
  const [scheme] = Object.keys(security[0] ?? {});
  if (scheme === 'accessToken') return html`<code>Authorization: Bearer …</code> (an access token)`;
  if (scheme === 'apiKey') return html`<code>X-Api-Key: …</code> (an API key)`;
  return html`No authentication.`;
}

function answerOf(status: string, answer: Operation['responses'][string], api: OpenApi): Html {
  const [type, content] = Object.entries(answer.content ?? {})[0] ?? [];
  const schema = content?.schema;
  if (schema === undefined) return html`<p>Response <b>${status}</b>, no body.</p>`;
  const inner = resolve(schema, api);
  const isList = inner.type === 'array';
  const many = type === 'text/event-stream' ? ', a stream of' : isList ? ', an array of' : '';
  return fieldTable(`Response ${status}${many}`, fieldRows(isList ? (inner.items ?? {}) : inner, api));
}

function fieldTable(caption: string, rows: readonly Html[]): Html {
  return html`<table>
    <caption>
      ${caption}
    </caption>
    ${rows}
  </table>`;
}

function fieldRows(schema: ShownSchema, api: OpenApi): Html[] {
  const { properties = {}, required = [] } = resolve(schema, api);
  return Object.entries(properties).map(([name, field]) => fieldRow(name, required.includes(name), field));
}

function fieldRow(name: string, required: boolean, field: ShownSchema): Html {
  return html`<tr>
    <th><code>${name}</code></th>
    <td>${typeOf(field)}${required ? '' : ', optional'}</td>
    <td>${prose(field.description ?? field.anyOf?.[0]?.description ?? '')}</td>
  </tr>`;
}

function typeOf(field: ShownSchema): string {
  if (field.enum !== undefined) return field.enum.join(' | ');
  if (field.const !== undefined) return JSON.stringify(field.const);
  if (field.anyOf !== undefined) return field.anyOf.map(typeOf).join(' | ');
  if (field.type === 'array') return `list of ${typeOf(field.items ?? {})}`;
  if (field.type !== 'object' || field.properties === undefined) return field.type ?? 'any';
  return JSON.stringify(exampleOf(field));
}

function resolve(schema: ShownSchema, api: OpenApi): ShownSchema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (api.components.schemas[name] ?? {});
}

function errorTables(): Html {
  const catalogue: readonly (readonly [string, ProblemKind])[] = Object.entries(problems);
  const rows = catalogue.map(
    ([code, { status, title, help }]) =>
      html`<tr>
        <th>
          <a href="/problems/${code}"><code>${code}</code></a>
        </th>
        <td>${status}</td>
        <td>${title}. ${prose(help)}</td>
      </tr>`,
  );
  const failed = Object.entries({ ...messageErrors, ...providerErrorCodes }).map(
    ([code, help]) =>
      html`<tr>
        <th><code>${code}</code></th>
        <td>${prose(help)}</td>
      </tr>`,
  );
  return html`<h2 id="errors">Errors</h2>
    ${fieldTable('Error responses by code', rows)} ${fieldTable('Error codes of failed messages', failed)}`;
}
