import type { SendText } from '@notify/contract';
import type { Labels } from '@notify/core';

/** The labels that a send gives: null where it gives none. An empty map or list gives none. */
export function givenLabels({ metadata = {}, tags = [] }: Pick<SendText, 'metadata' | 'tags'>): Labels {
  return {
    metadata: Object.keys(metadata).length === 0 ? null : metadata,
    tags: tags.length === 0 ? null : tags,
  };
}

/** Labels as the API shows them. */
export function shownLabels({ metadata, tags }: Labels): {
  readonly metadata: Record<string, string>;
  readonly tags: string[];
} {
  return { metadata: { ...metadata }, tags: [...(tags ?? [])] };
}
