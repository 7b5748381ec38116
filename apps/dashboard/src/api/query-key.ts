import type { QueryKey } from '@tanstack/react-query';
import type { InputOf, ReadKey } from './client.ts';

/**
 * The query key of an operation's answer: the operation, then its input. A change invalidates keys by their operation,
 * with any input. Inputs that make the same request have the same key: parts without a field are left out.
 */
export function keyOf<K extends ReadKey>(operation: K, input?: InputOf<K>): QueryKey {
  const parts = Object.entries(input ?? {}).filter(([, part]) => !isEmpty(part));
  return parts.length === 0 ? [operation] : [operation, Object.fromEntries(parts)];
}

function isEmpty(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return part === undefined;
  return Object.values(part).every((value) => value === undefined);
}
