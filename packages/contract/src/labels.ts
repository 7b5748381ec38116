import { longestLabel, longestMetadataValue, mostPairs, mostTags } from '@notify/core';
import Type from 'typebox';

const pattern = `^[A-Za-z0-9_.-]{1,${longestLabel}}$`;
const letters = 'letters (A–Z, a–z), digits, `_`, `.` and `-`';

/** A tag of a message. */
const tag = Type.String({ pattern, examples: ['newsletter'] });

/** Metadata. `__proto__` is a name like any other: a parser of JSON makes it a property, and no code here assigns names one by one. */
function metadataOf(description: string, limits: { maxProperties?: number; maxLength?: number } = {}) {
  const { maxLength, ...most } = limits;
  return Type.Record(Type.String({ pattern }), Type.String(maxLength === undefined ? {} : { maxLength }), {
    ...most,
    additionalProperties: false,
    description,
    examples: [{ orderId: '4711' }],
  });
}

/** What every send takes for its sender's own use. */
export const labels = {
  metadata: Type.Optional(
    metadataOf(
      `Your own data about the message: at most ${mostPairs} names (1 to ${longestLabel} ${letters}), each with a value of at most ${longestMetadataValue} characters. Reads and events return it, and it is kept as long as the message. A repeat with the same idempotency key may have other metadata: it answers with that of the first.`,
      { maxProperties: mostPairs, maxLength: longestMetadataValue },
    ),
  ),
  tags: Type.Optional(
    Type.Array(tag, {
      maxItems: mostTags,
      uniqueItems: true,
      description: `At most ${mostTags} tags (1 to ${longestLabel} ${letters}) by which lists, cancellations, events and usage are filtered. A repeat with the same idempotency key may have others: it answers with those of the first.`,
      examples: [['newsletter']],
    }),
  ),
};

/** The same in what reads return. */
export const shownLabels = {
  metadata: metadataOf('The `metadata` of the send. Empty without any.'),
  tags: Type.Array(tag, { description: 'The `tags` of the send.', examples: [['newsletter']] }),
};

/** The same in events. */
export const toldLabels = {
  metadata: Type.Optional(
    metadataOf('The `metadata` of the send. Only in events of messages with metadata or tags.'),
  ),
  tags: Type.Optional(
    Type.Array(tag, {
      description: 'The `tags` of the send. Only in events of messages with metadata or tags.',
      examples: [['newsletter']],
    }),
  ),
};

/** The metadata of a message that a person answered. */
export const replyToMetadata = Type.Optional(
  metadataOf('The `metadata` of the message that `replyTo` names. Only if it has any.'),
);

/** A list of tags, one of which an event must have. */
export function tagList(description: string): Type.TArray<Type.TString> {
  return Type.Array(tag, {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description,
    examples: [['newsletter']],
  });
}

/** Filters by one tag. `what` is listed. */
export function tagFilter(what: string): Type.TOptional<Type.TString> {
  return Type.Optional(
    Type.String({ pattern, description: `Only ${what} with this tag.`, examples: ['newsletter'] }),
  );
}
