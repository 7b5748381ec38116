import type { AnswerOf } from '../../../api/client.ts';
import type { Tone } from '../../../parts/status-badge.tsx';

/** A consent as the list has it, and one change of it. */
export type ConsentItem = AnswerOf<'get /v1/consent'>['data'][number];
export type ConsentChange = AnswerOf<'get /v1/consent/{channelAccountId}/{recipient}'>['history'][number];

/** The state of a consent, in tone and word. */
export const consentTones = {
  'opted-out': ['bad', 'Opted out'],
  'opted-in': ['good', 'Opted in'],
  removed: ['idle', 'Record removed'],
} as const satisfies Readonly<Record<ConsentChange['status'], readonly [Tone, string]>>;

const sources: Readonly<Record<ConsentChange['source'], string>> = {
  keyword: 'by a word of the recipient',
  provider: 'told by the provider',
  api: 'by you',
  earlier: 'before changes were recorded',
};

/** Where a change came from, as the end of a sentence. */
export function sourceText(source: ConsentChange['source']): string {
  return sources[source];
}
