import type { MessageHistory } from '@notify/sdk';
import { duration } from '../../../parts/time/time-text.ts';
import type { Tone } from '../../../parts/status-badge.tsx';
import { attemptResult } from '../../webhooks/deliveries/attempt-words.ts';

/** One entry of a message's history. */
export type TimelineEntry = MessageHistory['timeline'][number];
type Of<Kind extends TimelineEntry['kind']> = Extract<TimelineEntry, { kind: Kind }>;

/** One line of the timeline. */
export interface TimelineLine {
  readonly tone: Tone;
  readonly what: string;
  /** One more sentence; null if there is none. */
  readonly more: string | null;
  /** The provider's own words; null if it gave none. */
  readonly answer: string | null;
  /** Whether it is a step of the message itself, rather than a cause of one. */
  readonly isStep: boolean;
}

/** Puts an entry into words. `parts` is the number of parts of a text that was split. */
export function lineOf(entry: TimelineEntry): TimelineLine {
  switch (entry.kind) {
    case 'event':
      return { ...steps[entry.event], more: null, answer: null, isStep: true };
    case 'attempt':
      return attemptLine(entry);
    case 'receipt':
      return receiptLine(entry);
    case 'delivery':
      return deliveryLine(entry);
  }
}

const steps: Readonly<Record<Of<'event'>['event'], { tone: Tone; what: string }>> = {
  'message.queued': { tone: 'waiting', what: 'Queued' },
  'message.sent': { tone: 'moving', what: 'Sent' },
  'message.delivered': { tone: 'good', what: 'Delivered' },
  'message.read': { tone: 'good', what: 'Read' },
  'message.failed': { tone: 'bad', what: 'Failed' },
  'message.received': { tone: 'good', what: 'Received' },
};

const outcomes: Readonly<
  Record<NonNullable<Of<'attempt'>['outcome']>, { tone: Tone; what: string; more: string | null }>
> = {
  accepted: { tone: 'moving', what: 'accepted by the provider', more: null },
  throttled: {
    tone: 'attention',
    what: 'throttled by the provider',
    more: 'The account pauses for as long as the provider asked. This does not count as a failure.',
  },
  retry: {
    tone: 'attention',
    what: 'temporary failure',
    more: 'Nothing was sent. Notify retries until the message expires.',
  },
  rejected: { tone: 'bad', what: 'rejected by the provider', more: null },
  'connection-broken': {
    tone: 'bad',
    what: 'account not working',
    more: 'Messages wait until the account is fixed.',
  },
  unknown: {
    tone: 'attention',
    what: 'outcome unknown',
    more: 'The provider did not respond, so the message may or may not have been sent. Only a delivery receipt can tell.',
  },
};

function attemptLine({ number, part, outcome, durationMs, providerCode, text }: Of<'attempt'>): TimelineLine {
  const name = `Attempt ${number}${part > 0 ? `, part ${part + 1}` : ''}`;
  if (outcome === null)
    return {
      tone: 'moving',
      what: `${name}: in progress`,
      more: 'The provider has not responded yet.',
      answer: null,
      isStep: false,
    };
  const { tone, what, more } = outcomes[outcome];
  const took = durationMs === null ? '' : ` after ${duration(durationMs)}`;
  return { tone, what: `${name}: ${what}${took}`, more, answer: answerOf(providerCode, text), isStep: false };
}

function answerOf(code: string | null, text: string | null): string | null {
  const said = [code, text].filter((one) => one !== null && one !== '');
  return said.length === 0 ? null : said.join(' · ');
}

function receiptLine({ status, part, errorCode, providerCode, text }: Of<'receipt'>): TimelineLine {
  const of = part === null || part === 0 ? '' : ` for part ${part + 1}`;
  return {
    tone: status === 'failed' ? 'bad' : status === 'sent' ? 'moving' : 'good',
    what: `Delivery receipt${of}: ${status}`,
    more: errorCode,
    answer: answerOf(providerCode, text),
    isStep: false,
  };
}

/** The state of a delivery in a word. */
export function deliveryState({ state, attempts }: Pick<Of<'delivery'>, 'state' | 'attempts'>): string {
  switch (state) {
    case 'delivered':
      return 'Delivered';
    case 'waiting':
      return attempts === 0 ? 'Pending' : 'Retrying';
    case 'skipped':
      return 'Skipped';
    case 'failed':
      return 'Failed';
  }
}

/** What the line says anyway needs no sentence. */
const told: readonly (string | undefined)[] = ['post-due', 'posting', 'post-retry', 'webhook-removed'];

function deliveryLine({
  event,
  state,
  reason,
  attempts,
  lastAttempt,
  standing,
}: Of<'delivery'>): TimelineLine {
  const waitsFor = standing === null || told.includes(standing.code) ? null : standing.text;
  const last = lastAttempt === null ? null : attemptResult(lastAttempt);
  const times = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  const base = { answer: null, isStep: false } as const;
  switch (state) {
    case 'delivered':
      return {
        ...base,
        tone: 'good',
        what: `Webhook delivered: ${event}`,
        more: `${last ?? ''} after ${times}`.trim(),
      };
    case 'waiting':
      return attempts === 0
        ? { ...base, tone: 'waiting', what: `Webhook scheduled: ${event}`, more: waitsFor }
        : {
            ...base,
            tone: 'attention',
            what: `Webhook retrying: ${event}`,
            more: [`${times}, last: ${last}`, waitsFor].filter((one) => one !== null).join('. '),
          };
    case 'skipped':
      return {
        ...base,
        tone: 'idle',
        what: `Webhook skipped: ${event}`,
        more: 'The webhook was disabled.',
      };
    case 'failed':
      return {
        ...base,
        tone: 'bad',
        what: `Webhook failed: ${event}`,
        more:
          reason === 'expired'
            ? 'Expired after 3 days because the webhook kept failing.'
            : `${times}, last: ${last}`,
      };
  }
}
