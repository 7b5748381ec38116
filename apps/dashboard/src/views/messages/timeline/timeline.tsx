import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import {
  CheckIcon,
  ClockIcon,
  CrossIcon,
  type IconProps,
  PauseIcon,
  SendIcon,
  WarningIcon,
} from '../../../parts/icons.tsx';
import { StatusBadge, type Tone } from '../../../parts/status-badge.tsx';
import { DueTime, Time } from '../../../parts/time/time.tsx';
import classes from './timeline.module.css';
import { deliveriesLine, type DeliveryEntry, rowsOf } from './timeline-rows.ts';
import { deliveryState, lineOf, type TimelineEntry } from './timeline-words.ts';

const icons: Readonly<Record<Tone, (props: IconProps) => ReactNode>> = {
  good: CheckIcon,
  moving: SendIcon,
  waiting: ClockIcon,
  attention: WarningIcon,
  bad: CrossIcon,
  idle: PauseIcon,
};

/** The history of a message along a line, oldest first. An event that several webhooks get is one row, which opens. */
export function Timeline({
  entries,
  scheduledAt,
}: {
  readonly entries: readonly TimelineEntry[];
  /** The time that the message was accepted for; null for at once. */
  readonly scheduledAt: string | null;
}): ReactNode {
  return (
    <ol className={classes.timeline} aria-label="Timeline">
      {rowsOf(entries).map((row) =>
        row.kind === 'entry' ? (
          <Entry key={keyOf(row.entry)} entry={row.entry} scheduledAt={scheduledAt} />
        ) : (
          <EventOfMany key={row.deliveries[0].eventId} deliveries={row.deliveries} />
        ),
      )}
    </ol>
  );
}

function keyOf(entry: TimelineEntry): string {
  switch (entry.kind) {
    case 'event':
      return `event ${entry.sequence}`;
    case 'attempt':
      return `attempt ${entry.number} ${entry.part}`;
    case 'receipt':
      return `receipt ${entry.at} ${entry.status} ${entry.part}`;
    case 'delivery':
      return entry.deliveryId;
  }
}

function Step({
  tone,
  what,
  at,
  isStep = false,
  children,
}: {
  readonly tone: Tone;
  readonly what: string;
  readonly at: string;
  readonly isStep?: boolean;
  readonly children: ReactNode;
}): ReactNode {
  const Icon = icons[tone];
  return (
    <li className={classes.step} data-tone={tone}>
      <span className={classes.dot}>
        <Icon size={12} />
      </span>
      <span className={classes.what} {...(isStep ? { 'data-strong': true } : {})}>
        {what}
      </span>
      <span className={classes.at}>
        <Time at={at} />
      </span>
      <div className={classes.more}>{children}</div>
    </li>
  );
}

function Entry({
  entry,
  scheduledAt,
}: {
  readonly entry: TimelineEntry;
  readonly scheduledAt: string | null;
}): ReactNode {
  const { tone, what, more, answer, isStep } = lineOf(entry);
  const isForLater = entry.kind === 'event' && entry.event === 'message.queued' && scheduledAt !== null;
  return (
    <Step tone={tone} what={isForLater ? 'Scheduled' : what} at={entry.at} isStep={isStep}>
      {more}
      {isForLater && (
        <>
          For <Time at={scheduledAt} toMinute />
        </>
      )}
      {entry.kind === 'delivery' && <Receiver delivery={entry} />}
      {answer !== null && <pre className={classes.answer}>{answer}</pre>}
    </Step>
  );
}

function EventOfMany({
  deliveries,
}: {
  readonly deliveries: readonly [DeliveryEntry, ...DeliveryEntry[]];
}): ReactNode {
  const { tone, what } = deliveriesLine(deliveries);
  return (
    <Step tone={tone} what={what} at={deliveries[0].at}>
      <details>
        <summary>Show webhooks</summary>
        <ul className={classes.webhooks} aria-label={`Webhooks of ${deliveries[0].event}`}>
          {deliveries.map((delivery) => (
            <li key={delivery.deliveryId}>
              <Receiver delivery={delivery} />
              <Text size="sm">{lineOf(delivery).more}</Text>
              <Badge delivery={delivery} />
            </li>
          ))}
        </ul>
      </details>
    </Step>
  );
}

function Badge({ delivery }: { readonly delivery: DeliveryEntry }): ReactNode {
  return <StatusBadge tone={lineOf(delivery).tone}>{deliveryState(delivery)}</StatusBadge>;
}

function Receiver({
  delivery: { webhookId, url, state, nextAttemptAt },
}: {
  readonly delivery: DeliveryEntry;
}): ReactNode {
  // That it was disabled before says enough about a skipped one.
  if (url === null && state === 'skipped') return null;
  return (
    <Text size="sm" component="div">
      {url === null ? (
        'The webhook was removed.'
      ) : (
        <Anchor component={Link} to={`/webhooks/${webhookId}`} inherit>
          {url}
        </Anchor>
      )}
      {nextAttemptAt !== null && (
        <>
          {' · next attempt '}
          <DueTime at={nextAttemptAt} />
        </>
      )}
    </Text>
  );
}
