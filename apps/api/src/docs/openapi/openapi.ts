import type { Route } from '../../http/route.ts';
import { securitySchemes } from './credentials.ts';
import { eventHeaders, eventsTag, type PostedEvent, postedEvents } from './events.ts';
import type { ShownSchema } from './example.ts';
import { responseHeaders } from './headers.ts';
import { introduction, tagDescriptions } from './introduction.ts';
import { componentsOf, shown } from './named-schemas.ts';
import { describeRoute, type Operation, type Parameter, templateOf } from './operations.ts';
import { type Answer, problemExamples, sharedProblems } from './problem-answers.ts';
import { tellDefaults } from './told-defaults.ts';

/** What a webhook receives: an operation of the receiver's. Its id is the name of the event. */
type EventOperation = Omit<Operation, 'parameters' | 'requestBody'> & {
  readonly requestBody: {
    readonly required: boolean;
    readonly content: {
      readonly 'application/json': { readonly schema: ShownSchema; readonly example: unknown };
    };
  };
  readonly parameters: readonly (Omit<Parameter, 'in'> & { readonly in: 'header' })[];
};

interface Server {
  readonly url: string;
  readonly description: string;
  readonly variables?: Readonly<
    Record<
      string,
      { readonly default: string; readonly enum?: readonly string[]; readonly description: string }
    >
  >;
}

/** The whole document in OpenAPI 3.1, whose schemas are plain JSON Schema. */
export interface OpenApi {
  readonly openapi: '3.1.0';
  readonly info: Readonly<Record<'title' | 'summary' | 'version' | 'description', string>> & {
    readonly contact: { readonly name: string; readonly url: string };
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly externalDocs: { readonly url: string; readonly description: string };
  readonly servers: readonly Server[];
  /** Of operations that name none. Each of ours names its own, so this is only what the reference offers first. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  /** The events that tenants' webhooks receive. */
  readonly webhooks: Readonly<Record<string, { readonly post: EventOperation }>>;
  readonly components: {
    readonly securitySchemes: object;
    readonly headers: object;
    readonly responses: Readonly<Record<string, Answer>>;
    readonly schemas: Readonly<Record<string, ShownSchema>>;
    readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: object }>>;
  };
}

/** Describes the routes with the schemas that also check their requests. */
export function describeApi(routes: readonly Route[], version: string): OpenApi {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) (paths[templateOf(route)] ??= {})[route.method] = describeRoute(route);
  const webhooks = Object.fromEntries(
    postedEvents.map((event) => [event.name, { post: describeEvent(event) }]),
  );
  const responses = sharedProblems(routes);
  const schemas = componentsOf({ paths, webhooks, responses });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Notify',
      summary: 'Messages over WhatsApp, Telegram and SMS.',
      version,
      description: introduction,
      // Each installation has its own operator, who can be reached at the installation.
      contact: { name: 'The operator of this installation', url: '/' },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    externalDocs: { url: '/docs/guides', description: 'Guides' },
    servers,
    security: [{ apiKey: [] }, { serviceToken: [] }, { accessToken: [] }],
    tags: tagsOf(routes).map(describeTag),
    paths: tellDefaults(paths),
    webhooks,
    components: {
      securitySchemes,
      headers: responseHeaders,
      responses,
      schemas: tellDefaults(schemas),
      examples: problemExamples,
    },
  };
}

const servers: OpenApi['servers'] = [
  { url: '/', description: 'The installation that serves this document.' },
  {
    url: '{scheme}://{host}',
    description: 'Any installation.',
    variables: {
      scheme: { default: 'http', enum: ['https', 'http'], description: '`https` behind a proxy.' },
      host: {
        default: 'localhost:3000',
        description: 'The host, and its port if that is another than usual.',
      },
    },
  },
];

/** The tags of these routes, in the order in which they are described: a reader begins with sending. */
function tagsOf(routes: readonly Route[]): readonly string[] {
  const used = new Set([...routes.map(({ tag }) => tag), eventsTag]);
  const described = Object.keys(tagDescriptions).filter((name) => used.has(name));
  return [...new Set([...described, ...used])];
}

function describeTag(name: string): OpenApi['tags'][number] {
  const description = tagDescriptions[name];
  return description === undefined ? { name } : { name, description };
}

function describeEvent({ name, summary, description, schema, example }: PostedEvent): EventOperation {
  return {
    operationId: name,
    tags: [eventsTag],
    summary,
    description,
    security: [],
    parameters: eventHeaders.map(([header, told, value]) => ({
      name: header,
      in: 'header',
      required: true,
      description: told,
      schema: { type: 'string' },
      example: value,
    })),
    requestBody: { required: true, content: { 'application/json': { schema: shown(schema), example } } },
    responses: {
      '2XX': { description: 'Received. The response body is ignored.' },
      '410': { description: 'Disables the webhook.' },
      default: { description: 'A failed attempt. The event is posted again later.' },
    },
  };
}
