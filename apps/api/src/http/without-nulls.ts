/** As much of a JSON Schema as is looked at here. */
interface SchemaParts {
  readonly properties?: Readonly<Record<string, SchemaParts>>;
  readonly required?: readonly string[];
  readonly items?: SchemaParts;
}

/**
 * A copy in which an optional field that the schema names is absent where it was null. What the schema does not name
 * stays, so that an unknown field is still found, and so that null keeps its meaning in settings of a provider.
 */
export function withoutNulls(schema: SchemaParts, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutNulls(schema.items ?? {}, item));
  if (typeof value !== 'object' || value === null || schema.properties === undefined) return value;
  const { properties, required = [] } = schema;
  const kept = Object.entries(value).filter(
    ([name, field]) => field !== null || !Object.hasOwn(properties, name) || required.includes(name),
  );
  return Object.fromEntries(
    kept.map(([name, field]) => [
      name,
      Object.hasOwn(properties, name) ? withoutNulls(properties[name]!, field) : field,
    ]),
  );
}
