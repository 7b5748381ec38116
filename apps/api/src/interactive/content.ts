import { InteractiveContent } from '@notify/contract';

/** As much of a schema as says what is in a value. */
interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
}

/** One list of the fields: that of the contract. */
const content = InteractiveContent as unknown as Shape & Required<Pick<Shape, 'properties'>>;

/** The send with the fields of its interactive content in one object. */
export function contentIn<S extends InteractiveContent>(
  send: S,
): Omit<S, keyof InteractiveContent> & { readonly interactive: InteractiveContent } {
  const others = Object.entries(send).filter(([name]) => !Object.hasOwn(content.properties, name));
  const rest = Object.fromEntries(others) as Omit<S, keyof InteractiveContent>;
  return { ...rest, interactive: inFixedOrder(send) };
}

/** The fields in the order of the schema, so that idempotency compares what they say, and not how a client writes its JSON. */
export function inFixedOrder(given: InteractiveContent): InteractiveContent {
  return ordered(content, given) as InteractiveContent;
}

function ordered({ properties, items }: Shape, value: unknown): unknown {
  if (items !== undefined) return (value as readonly unknown[]).map((entry) => ordered(items, entry));
  if (properties === undefined) return value;
  const given = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, shape]) =>
      given[name] === undefined ? [] : [[name, ordered(shape, given[name])]],
    ),
  );
}
