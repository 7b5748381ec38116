import type { Usage as Shown } from '@notify/contract';
import { type Channel, channels, type Histogram, quantileMs } from '@notify/core';
import type { MessageFigure } from '@notify/db/usage';

type Totals = Shown['totals'];
type Counts = Pick<Totals, 'accepted' | 'waiting' | 'sent' | 'delivered' | 'read' | 'failed' | 'received'>;
type MessageUsage = Pick<Shown, 'totals' | 'channels' | 'buckets' | 'failures'>;

/** Channels whose providers report delivery. */
const confirming: readonly Channel[] = channels.filter((channel) => channel !== 'telegram');

/** Arranges figures for readers: in total, by channel, by time and by reason. */
export function toMessageUsage(
  figures: readonly MessageFigure[],
  asked: readonly Channel[],
  starts: readonly Date[],
): MessageUsage {
  return {
    totals: totalsOf(figures),
    channels: asked.map((channel) => ({ channel, ...totalsOf(only(figures, channel)) })),
    buckets: bucketsOf(figures, asked, starts),
    failures: failuresOf(figures),
  };
}

function only(figures: readonly MessageFigure[], channel: Channel): MessageFigure[] {
  return figures.filter((figure) => figure.channel === channel);
}

function totalsOf(figures: readonly MessageFigure[]): Totals {
  const confirmed = countsOf(figures.filter(({ channel }) => confirming.includes(channel)));
  const settled = confirmed.accepted - confirmed.waiting;
  const took = histogramOf(figures);
  const [p50Ms, p95Ms] = [quantileMs(took, 0.5), quantileMs(took, 0.95)];
  return {
    ...countsOf(figures),
    deliveryRate: settled > 0 ? rateOf(confirmed.delivered, settled) : null,
    timeToDelivered: p50Ms === null || p95Ms === null ? null : { p50Ms, p95Ms },
  };
}

/** A rate to four decimals. Only none is 0, and only all is 1. */
function rateOf(part: number, whole: number): number {
  if (part === 0 || part >= whole) return Math.min(1, part / whole);
  return Math.min(9_999, Math.max(1, Math.round((part / whole) * 10_000))) / 10_000;
}

/**
 * The counts of some figures. No event reports waiting messages, so they are computed: accepted, less sent, less those
 * that failed before they were sent.
 */
function countsOf(figures: readonly MessageFigure[]): Counts {
  const sum = (measure: string): number =>
    figures.reduce((total, figure) => (figure.measure === measure ? total + figure.total : total), 0);
  const [accepted, sent, failed] = [sum('accepted'), sum('sent'), sum('failed')];
  const waiting = accepted - sent - failed + sum('failed-after-sent');
  // A status change of the last few seconds may be counted before the acceptance of its message.
  return {
    accepted,
    waiting: Math.max(0, waiting),
    sent,
    delivered: sum('delivered'),
    read: sum('read'),
    failed,
    received: sum('received'),
  };
}

function histogramOf(figures: readonly MessageFigure[]): Histogram {
  const histogram = new Map<number, number>();
  for (const { measure, detail, total } of figures)
    if (measure === 'took') histogram.set(Number(detail), (histogram.get(Number(detail)) ?? 0) + total);
  return histogram;
}

function bucketsOf(
  figures: readonly MessageFigure[],
  asked: readonly Channel[],
  starts: readonly Date[],
): Shown['buckets'] {
  const byStart = Map.groupBy(figures, ({ startsAt }) => startsAt?.getTime());
  return starts.map((start) => {
    const here = byStart.get(start.getTime()) ?? [];
    const used = asked.filter((channel) => here.some((figure) => figure.channel === channel));
    return {
      startsAt: start.toISOString(),
      ...countsOf(here),
      channels: used.map((channel) => ({ channel, ...countsOf(only(here, channel)) })),
    };
  });
}

function failuresOf(figures: readonly MessageFigure[]): Shown['failures'] {
  return figures
    .filter(({ measure, total }) => measure === 'failure' && total > 0)
    .map(({ channel, detail, total }) => ({ channel, errorCode: detail, messages: total }))
    .sort((one, other) => other.messages - one.messages);
}
