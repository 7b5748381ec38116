/** The parts of a JSON Schema that are used here. */
interface SchemaParts {
  readonly properties?: Readonly<Record<string, SchemaParts>>;
  readonly required?: readonly string[];
  readonly items?: SchemaParts;
  readonly type?: unknown;
  readonly anyOf?: readonly SchemaParts[];
}

/**
 * The value without the optional fields of the schema that are null; a copy, if a field is left out. A null that the schema
 * takes stays, such as one that clears a field. Fields that the schema does not name stay. So unknown fields are still found, and null keeps its meaning in a provider's settings.
 */
export function withoutNulls(schema: SchemaParts, value: unknown): unknown {
  if (Array.isArray(value)) return withoutNullsInItems(schema.items ?? {}, value);
  if (typeof value !== 'object' || value === null || schema.properties === undefined) return value;
  const { properties, required = [] } = schema;
  const given = value as Readonly<Record<string, unknown>>;
  let copy: Record<string, unknown> | undefined;
  for (const [name, named] of Object.entries(properties)) {
    if (!Object.hasOwn(given, name)) continue;
    const field = given[name];
    if (field === null && !required.includes(name) && !takesNull(named)) delete (copy ??= { ...given })[name];
    else if (typeof field === 'object') {
      const kept = withoutNulls(named, field);
      if (kept !== field) (copy ??= { ...given })[name] = kept;
    }
  }
  return copy ?? value;
}

function takesNull({ anyOf = [] }: SchemaParts): boolean {
  return anyOf.some(({ type }) => type === 'null');
}

function withoutNullsInItems(schema: SchemaParts, items: readonly unknown[]): readonly unknown[] {
  const kept = items.map((item) => withoutNulls(schema, item));
  return kept.some((item, index) => item !== items[index]) ? kept : items;
}
