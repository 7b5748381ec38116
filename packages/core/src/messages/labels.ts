/** What a sender ties to a message for its own use. Null: nothing. */
export interface Labels {
  /** Values by name. It may have any name, `__proto__` included, so read it by its own keys. */
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly tags: readonly string[] | null;
}

/** A message without labels. */
export const noLabels: Labels = { metadata: null, tags: null };

/** Whether there is anything in them. */
export function hasLabels({ metadata, tags }: Labels): boolean {
  return metadata !== null || tags !== null;
}

/** Most tags of a message. */
export const mostTags = 5;
/** Most pairs of the metadata of a message. */
export const mostPairs = 16;
/** Most code points of a value of metadata. */
export const longestMetadataValue = 256;
/** Most characters of a tag, and of a name in metadata. */
export const longestLabel = 40;

/** How many tags of a tenant have figures in a day (UTC). Messages of any other tag count as `otherTag`. */
export const countedTags = 1_000;
export const otherTag = 'other';
