/** As much of a JSON Schema as is looked at here. */
interface SchemaParts {
  readonly properties?: Readonly<Record<string, SchemaParts>>;
  readonly required?: readonly string[];
  readonly items?: SchemaParts;
}

/**
 * The value with each optional field that the schema names absent where it was null; a copy, as far as anything is
 * left out. What the schema does not name stays, so that an unknown field is still found, and so that null keeps its
 * meaning in settings of a provider.
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
    if (field === null && !required.includes(name)) delete (copy ??= { ...given })[name];
    else if (typeof field === 'object') {
      const kept = withoutNulls(named, field);
      if (kept !== field) (copy ??= { ...given })[name] = kept;
    }
  }
  return copy ?? value;
}

function withoutNullsInItems(schema: SchemaParts, items: readonly unknown[]): readonly unknown[] {
  const kept = items.map((item) => withoutNulls(schema, item));
  return kept.some((item, index) => item !== items[index]) ? kept : items;
}
