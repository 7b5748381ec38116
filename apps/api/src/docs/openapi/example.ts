/** The parts of a JSON Schema that the documentation uses. */
export interface ShownSchema {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ShownSchema>>;
  readonly required?: readonly string[] | undefined;
  readonly minProperties?: number;
  readonly items?: ShownSchema;
  readonly anyOf?: readonly ShownSchema[];
  readonly oneOf?: readonly ShownSchema[];
  readonly discriminator?: { readonly propertyName: string; readonly mapping: object };
  readonly contentSchema?: ShownSchema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly $ref?: string;
}

/** A value that the schema allows, made of its examples. An object gets its required fields only. */
export function exampleOf(schema: ShownSchema): unknown {
  const given = schema.examples?.[0] ?? schema.const ?? schema.enum?.[0];
  if (given !== undefined) return given;
  if (schema.anyOf !== undefined) return exampleOfAny(schema.anyOf);
  switch (schema.type) {
    case 'object': {
      const fields = Object.entries(schema.properties ?? {});
      const required = fields.filter(([name]) => schema.required?.includes(name));
      return Object.fromEntries(required.map(([name, field]) => [name, exampleOf(field)]));
    }
    case 'array':
      return [exampleOf(schema.items ?? {})];
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'string':
      return schema.format === 'date-time' ? '2026-01-31T09:30:00.000Z' : 'text';
    case 'null':
      return null;
    case undefined:
      return {};
  }
}

/** The first example that a variant has. A field that may be null and has none is null. */
function exampleOfAny(variants: readonly ShownSchema[]): unknown {
  const [first = {}] = variants;
  const isNullable = variants.some(({ type }) => type === 'null');
  const hasExample = first.examples !== undefined || first.enum !== undefined || first.type === 'object';
  return isNullable && !hasExample ? null : exampleOf(first);
}
