import * as contract from '@notify/contract';
import { problems } from '@notify/contract';
import {
  channels,
  groupStatuses,
  inboundTypes,
  messageTypes,
  notToldReasons,
  subscribableEvents,
  verificationStatuses,
} from '@notify/core';
import type { ShownSchema } from './example.ts';

/** What a schema says to readers only. */
const toldKeys: readonly string[] = ['description', 'examples', 'default'];

type Names = Readonly<Record<string, ShownSchema>>;

/** RFC 9457, with our `code`, `errors` and `requestId`. */
const Problem: ShownSchema = {
  type: 'object',
  description: 'An error response. Use `code` to distinguish errors.',
  required: ['type', 'title', 'status', 'code', 'requestId'],
  properties: {
    type: { type: 'string', description: 'Documentation of the code: `/problems/<code>`.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { enum: Object.keys(problems) },
    detail: { type: 'string', description: 'What went wrong in this request.' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['at', 'message'],
        properties: { at: { type: 'string', examples: ['body/to'] }, message: { type: 'string' } },
      },
    },
    requestId: { type: 'string', description: 'Same as the `X-Request-Id` header.' },
  },
};

/** Sets of values that many schemas use. The contract has no schema of its own for them. */
const valueSets: Names = {
  Channel: { enum: [...channels] },
  ConsentSource: { enum: ['keyword', 'provider', 'api', 'earlier'] },
  GroupStatus: { enum: [...groupStatuses] },
  ConsentStatus: { enum: ['opted-out', 'opted-in'] },
  InboundMessageType: { enum: [...inboundTypes] },
  KeyScope: { enum: [...contract.keyScopes] },
  MessageDirection: { enum: ['outbound', 'inbound'] },
  MessageStatus: { enum: ['queued', 'sent', 'delivered', 'failed'] },
  MessageType: { enum: [...new Set([...messageTypes, ...inboundTypes])] },
  NotToldReason: { enum: [...notToldReasons] },
  OutboundMessageType: { enum: [...messageTypes] },
  PostedEventName: { enum: [...subscribableEvents, 'webhook.test'] },
  ProblemCode: { enum: Object.keys(problems) },
  TokenScope: { enum: [...contract.tokenScopes] },
  VerificationStatus: { enum: [...verificationStatuses] },
};

const { EventBody, MessageEvent, WebhookEvent, ...others } = contract;

/** The name of each component. It is that of the contract, unless a generated client needs a clearer one. */
const components: Names = {
  ...schemasAmong(others),
  ...valueSets,
  MessageEventBody: EventBody,
  MessageEventName: MessageEvent,
  WebhookEventName: WebhookEvent,
  Problem,
};

function schemasAmong(values: object): Names {
  const isSchema = (value: unknown): value is ShownSchema =>
    typeof value === 'object' && value !== null && '~kind' in value;
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isSchema(value)));
}

const byIdentity = new Map(Object.entries(components).map(([name, schema]) => [schema, name]));
/** Null if several components have that shape, so that it does not tell which one is meant. */
const byShape = new Map<string, string | null>();
for (const [name, schema] of Object.entries(components)) {
  const shape = shapeOf(schema);
  byShape.set(shape, byShape.has(shape) ? null : name);
}

/** A schema as text without what it says to readers, because a field of a named type may describe itself. */
function shapeOf(schema: ShownSchema): string {
  const own = Object.entries(schema).filter(([key]) => !toldKeys.includes(key));
  return JSON.stringify(Object.fromEntries(own));
}

function nameOf(schema: ShownSchema): string | null {
  return byIdentity.get(schema) ?? byShape.get(shapeOf(schema)) ?? null;
}

/** A schema as the document shows it: each part that has a name is a reference, which may describe itself. */
export function shown(schema: ShownSchema): ShownSchema {
  const name = nameOf(schema);
  if (name === null) return inFull(schema);
  const { description } = schema;
  const isOwn = description !== undefined && description !== components[name]!.description;
  return { $ref: `#/components/schemas/${name}`, ...(isOwn ? { description } : {}) };
}

/** A schema whose parts are shown. Enumerations get the type that generators for typed languages ask for. */
function inFull(schema: ShownSchema): ShownSchema {
  const parts = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, shownPart(key, value)]),
  ) as ShownSchema;
  if (parts.anyOf !== undefined) return { ...parts, ...discriminated(schema, parts.anyOf) };
  const areTexts = schema.type === undefined && schema.enum?.every((one) => typeof one === 'string');
  return areTexts ? { type: 'string', ...parts } : parts;
}

function shownPart(key: string, value: unknown): unknown {
  switch (key) {
    case 'properties':
    case 'patternProperties':
      return Object.fromEntries(
        Object.entries(value as Names).map(([name, property]) => [name, shown(property)]),
      );
    case 'items':
    case 'contentSchema':
      return shown(value as ShownSchema);
    case 'anyOf':
      return (value as ShownSchema[]).map(shown);
    default:
      return value;
  }
}

/**
 * `oneOf` with a discriminator for a union of components that one field tells apart; nothing for another union
 * (OpenAPI 3.1, Discriminator Object).
 */
function discriminated({ anyOf = [] }: ShownSchema, references: readonly ShownSchema[]): object {
  const fields = Object.keys(anyOf[0]?.properties ?? {});
  const propertyName = fields.find((field) => tellsApart(field, anyOf));
  if (propertyName === undefined || references.some(({ $ref }) => $ref === undefined)) return {};
  const mapping: Record<string, string> = {};
  for (const [index, variant] of anyOf.entries())
    for (const value of valuesOf(variant, propertyName)) mapping[String(value)] = references[index]!.$ref!;
  return { anyOf: undefined, oneOf: references, discriminator: { propertyName, mapping } };
}

function tellsApart(field: string, variants: readonly ShownSchema[]): boolean {
  const sets = variants.map((variant) => valuesOf(variant, field));
  const all = sets.flat();
  return variants.length > 1 && sets.every((set) => set.length > 0) && new Set(all).size === all.length;
}

/** The values that a required field of an object may have. None if it is not an enumeration. */
function valuesOf({ properties = {}, required = [] }: ShownSchema, field: string): readonly unknown[] {
  const { const: only, enum: some } = properties[field] ?? {};
  if (!required.includes(field)) return [];
  return some ?? (only === undefined ? [] : [only]);
}

/** The components that a part of the document refers to, with those that they refer to, by name. */
export function componentsOf(part: object): Record<string, ShownSchema> {
  const found = new Map<string, ShownSchema>();
  const collect = (within: object): void => {
    for (const name of namesIn(within)) {
      if (found.has(name)) continue;
      const component = inFull(components[name]!);
      found.set(name, component);
      collect(component);
    }
  };
  collect(part);
  return Object.fromEntries([...found].toSorted(([a], [b]) => a.localeCompare(b, 'en')));
}

function namesIn(part: object): string[] {
  const references = JSON.stringify(part).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g);
  return Array.from(references, ([, name = '']) => name);
}
