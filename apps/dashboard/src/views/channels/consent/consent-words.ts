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

/** Where a change came from, such as `The recipient sent STOP or a word like it`. */
export function sourceText({ status, source }: Pick<ConsentChange, 'status' | 'source'>): string {
  switch (source) {
    case 'keyword':
      return `The recipient sent ${status === 'opted-in' ? 'START' : 'STOP'} or a word like it`;
    case 'provider':
      return 'Reported by the provider';
    case 'api':
      return 'By you or your program';
    case 'earlier':
      return 'Before Notify kept a history';
  }
}
