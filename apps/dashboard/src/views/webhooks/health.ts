import type { Webhook } from '../../api/schema.ts';

/** What of a webhook tells how it is. */
export type Health = Pick<
  Webhook,
  'isActive' | 'state' | 'failureCount' | 'lastTriggeredAt' | 'disabledReason'
>;

/** What the reader should know of a webhook: what is wrong and what to do. Null where all is well. */
export interface HealthAdvice {
  readonly color: 'red' | 'orange' | 'gray';
  readonly title: string;
  readonly text: string;
}

/** Says how a webhook is, where it is not simply healthy. */
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
  text: 'Nothing has been posted to it so far. A test event shows whether your receiver gets it.',
};

function disabled(reason: string | null): HealthAdvice {
  if (reason === null) {
    return {
      color: 'gray',
      title: 'Disabled',
      text: 'It gets no events. When you have enabled it again, a replay brings those it missed.',
    };
  }
  return {
    color: 'red',
    title: 'Disabled by Notify',
    text: `${reason} Put your receiver right, enable the webhook, and replay what it missed.`,
  };
}

function failing(failures: number): HealthAdvice {
  return {
    color: 'red',
    title: 'Failing',
    text: `The last ${failures} attempts failed. Events wait, up to 3 days, and one at a time tries whether your receiver is back. The deliveries below say what went wrong. After 5 days of failing it is disabled.`,
  };
}

function unsteady(failures: number): HealthAdvice {
  const which = failures === 1 ? 'The last attempt' : `The last ${failures} attempts`;
  return {
    color: 'orange',
    title: 'Retrying',
    text: `${which} failed. What failed is tried again by itself; after 5 failures in a row the webhook counts as failing.`,
  };
}
