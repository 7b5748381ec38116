/** The parts of a JSON Schema that the documentation uses. */
export interface ShownSchema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ShownSchema>>;
  readonly required?: readonly string[];
  readonly items?: ShownSchema;
  readonly anyOf?: readonly ShownSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
  readonly $ref?: string;
}

/** A value that the schema allows, made of its examples. An object gets its required fields only. */
export function exampleOf(schema: ShownSchema): unknown {
  const given = schema.examples?.[0] ?? schema.const ?? schema.enum?.[0];
  if (given !== undefined) return given;
  if (schema.anyOf !== undefined) return exampleOf(schema.anyOf[0] ?? {});
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
      return 'text';
    case undefined:
      return {};
  }
}
