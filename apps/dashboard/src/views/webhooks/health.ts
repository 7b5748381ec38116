import type { Webhook } from '@notify/sdk';

/** The fields of a webhook that show its health. */
export type Health = Pick<
  Webhook,
  'isActive' | 'state' | 'failureCount' | 'lastTriggeredAt' | 'disabledReason'
>;

/** A problem of a webhook, with advice. Null if there is none. */
export interface HealthAdvice {
  readonly color: 'red' | 'orange' | 'gray';
  readonly title: string;
  readonly text: string;
}

/** Explains a webhook's health, unless it is simply healthy. */
export function healthAdvice(webhook: Health): HealthAdvice | null {
  if (!webhook.isActive) return disabled(webhook.disabledReason);
  if (webhook.state === 'failing') return failing(webhook.failureCount);
  if (webhook.failureCount > 0) return unsteady(webhook.failureCount);
  if (webhook.lastTriggeredAt === null) return unused;
  return null;
}

const unused: HealthAdvice = {
  color: 'gray',
  title: 'Not used yet',
  text: 'No event has been posted yet. Send a test event to check that your endpoint receives it.',
};

function disabled(reason: string | null): HealthAdvice {
  if (reason === null) {
    return {
      color: 'gray',
      title: 'Disabled',
      text: 'This webhook receives no events. Enable it, then replay the events it missed.',
    };
  }
  return {
    color: 'red',
    title: 'Disabled by Notify',
    text: `${asSentence(reason)} Fix your endpoint, enable the webhook, then replay the events it missed.`,
  };
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function failing(failures: number): HealthAdvice {
  return {
    color: 'red',
    title: 'Failing',
    text: `The last ${failures} attempts failed. Notify now tries one event at a time; the others wait, for at most 3 days each. After 5 days of failing, Notify disables the webhook.`,
  };
}

function unsteady(failures: number): HealthAdvice {
  const which = failures === 1 ? 'The last attempt' : `The last ${failures} attempts`;
  return {
    color: 'orange',
    title: 'Retrying',
    text: `${which} failed. Notify tries each event up to ten times, over about 28 hours. After 5 failed attempts in a row the webhook counts as failing.`,
  };
}
