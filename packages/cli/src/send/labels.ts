import { UsageFailure } from '../failures.ts';
import { list, repeated } from '../options.ts';

/** The options of a send for its sender's own use. */
export const labelOptions = {
  tag: list('<tags>', 'Tags of the message, by which lists are filtered.'),
  metadata: repeated('<name=value>', 'Your own data about the message. Once for each pair.'),
};

/** What these options say in the body of a send. */
export function labelsOf({
  tag,
  metadata,
}: {
  readonly tag: readonly string[] | undefined;
  readonly metadata: readonly string[] | undefined;
}): { tags: string[] | undefined; metadata: Record<string, string> | undefined } {
  return {
    tags: tag === undefined ? undefined : [...new Set(tag)],
    metadata: metadata === undefined ? undefined : Object.fromEntries(metadata.map(pairOf)),
  };
}

function pairOf(typed: string): readonly [string, string] {
  const at = typed.indexOf('=');
  if (at < 1) throw new UsageFailure('--metadata must be name=value');
  return [typed.slice(0, at), typed.slice(at + 1)];
}

/** Labels as a line shows them. Null without any. */
export function tagsText(tags: readonly string[]): string | null {
  return tags.length === 0 ? null : tags.join(', ');
}

export function metadataText(metadata: Readonly<Record<string, string>>): string | null {
  const pairs = Object.entries(metadata).map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? null : pairs.join(', ');
}
