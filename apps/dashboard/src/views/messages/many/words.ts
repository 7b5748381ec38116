import { amount } from '../../../parts/time/time-text.ts';
import type { Ended } from './read-all.ts';

/** `1 message`, `1,234 messages`, `1 failed message`. */
export function messagesIn(count: number, kind = ''): string {
  return `${amount(count)} ${kind === '' ? '' : `${kind} `}${count === 1 ? 'message' : 'messages'}`;
}

/** What has become of many: `Resent 3 messages. 2 could not be: Its status is sent.` */
export function endedInWords(verb: string, { done, refused }: Ended): string {
  const others = [...refused].map(([why, count]) => `${amount(count)} could not be: ${why}`);
  return [`${verb} ${messagesIn(done)}.`, ...others].join(' ');
}
