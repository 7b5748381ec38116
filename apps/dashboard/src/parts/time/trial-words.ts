import { dateText } from './time-text.ts';

/** What the end of a trial means where sending then stops. */
export function trialInWords(endsAt: Date, now: number, zone: string): string {
  const day = dateText(endsAt, now, zone);
  return endsAt.getTime() > now
    ? `Sending stops on ${day} unless the operator gives you a plan.`
    : `Sending stopped on ${day}, when your trial ended. Ask the operator for a plan.`;
}
