import type { WebhookEventName } from '@notify/sdk';
import { UsageFailure } from '../failures.ts';
import { list, type Option } from '../options.ts';

/** The names of all events. `satisfies` refuses to compile when the API has another one. */
export const eventNames = Object.keys({
  'message.queued': true,
  'message.sent': true,
  'message.delivered': true,
  'message.read': true,
  'message.failed': true,
  'message.received': true,
  'contact.paired': true,
  'contact.opted-out': true,
  'contact.opted-in': true,
  'group.delivered': true,
  'group.failed': true,
  'verification.held': true,
} satisfies Record<WebhookEventName, true>) as WebhookEventName[];

/** `message.*`, `contact.*` and so on. */
const patterns = [...new Set(eventNames.map((name) => `${name.split('.')[0]}.*`))];

/** The option `--events`: names of events, and patterns such as `message.*`. `--event` is its old name. */
export function eventsOption(about: string): Option<readonly string[] | undefined> {
  const words = list('<names>', `${about} Names such as message.failed, or message.*, contact.* or group.*.`);
  return {
    ...words,
    alias: 'event',
    choices: [...eventNames, ...patterns],
    read: (typed, before) => words.read(typed, before)?.map(checkedName),
  };
}

/** The names that the patterns stand for, each once. */
export function namesOf(wanted: readonly string[]): WebhookEventName[] {
  const names = wanted.flatMap((one) => eventNames.filter((name) => matchesEvent([one], name)));
  return [...new Set(names)];
}

/** Whether an event is wanted. `message.*` matches every event with that prefix. Without a list every event matches. */
export function matchesEvent(wanted: readonly string[] | undefined, event: string): boolean {
  if (wanted === undefined) return true;
  return wanted.some((one) => (one.endsWith('*') ? event.startsWith(one.slice(0, -1)) : one === event));
}

function checkedName(typed: string): string {
  if (patterns.includes(typed) || eventNames.some((name) => name === typed)) return typed;
  throw new UsageFailure(`must be one of ${eventNames.join(', ')}, or ${patterns.join(', ')}`);
}
