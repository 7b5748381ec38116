import type { Group, MessageDetails } from '@notify/sdk';
import type { Tone } from '../../../parts/status-badge.tsx';

/** What became of one route of a group. */
export interface RouteLine {
  readonly tone: Tone;
  /** In a word. */
  readonly what: string;
  /** One more sentence: why the next route began, or why none did. Null if the word says all. */
  readonly more: string | null;
}

/** Puts a route into words, from 0. */
export function routeLineOf(group: Group, at: number): RouteLine {
  const { messageId, leftFor } = group.routes[at]!;
  const message = group.messages.find((one) => one.messageId === messageId);
  if (message === undefined) return messageId === null ? notBegun(group, at) : removed;
  const { tone, what } = states[message.status];
  return {
    tone,
    what,
    more: leftFor === null ? ending(message, group.routes.length) : leaving(message, leftFor),
  };
}

const removed: RouteLine = {
  tone: 'idle',
  what: 'Removed',
  more: 'Its message is no longer stored.',
};

const states: Readonly<Record<MessageDetails['status'], { readonly tone: Tone; readonly what: string }>> = {
  queued: { tone: 'waiting', what: 'Waiting' },
  sent: { tone: 'moving', what: 'Sent' },
  delivered: { tone: 'good', what: 'Delivered' },
  failed: { tone: 'bad', what: 'Failed' },
};

function notBegun({ status, endedAt, nextRouteAt, messages }: Group, at: number): RouteLine {
  if (endedAt === null) {
    const isNext = at === messages.length && nextRouteAt !== null;
    const more = isNext ? 'Begins if the route before it fails, or does not deliver in time.' : null;
    return { tone: 'idle', what: 'Not tried yet', more };
  }
  const isNeeded = status === 'failed';
  return {
    tone: 'idle',
    what: isNeeded ? 'Not tried' : 'Not needed',
    more: isNeeded ? 'The group ended first.' : null,
  };
}

function ending({ status, errorCode }: MessageDetails, routes: number): string | null {
  if (status !== 'failed') return null;
  if (errorCode === 'canceled') return 'It was canceled.';
  const why = `Failed: ${errorCode ?? 'no error code'}.`;
  return routes === 1 ? why : `${why} This was the last route.`;
}

function leaving({ status, errorCode }: MessageDetails, leftFor: 'failed' | 'time-over'): string {
  if (status === 'delivered') return 'It arrived after the next route had begun.';
  if (status === 'sent') return 'It was not delivered in time, so the next route began. It may still arrive.';
  if (leftFor === 'failed') return `Failed: ${errorCode ?? 'no error code'}. The next route began.`;
  return errorCode === 'outcome-unknown'
    ? 'The provider did not respond in time, so the next route began. It may still arrive.'
    : 'It was not sent in time, so the next route began.';
}
