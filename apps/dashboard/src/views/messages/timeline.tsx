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
} from '../../parts/icons.tsx';
import type { Tone } from '../../parts/status-badge.tsx';
import { DueTime, Time } from '../../parts/time.tsx';
import classes from './messages.module.css';
import { lineOf, type TimelineEntry } from './timeline-words.ts';

const icons: Readonly<Record<Tone, (props: IconProps) => ReactNode>> = {
  good: CheckIcon,
  moving: SendIcon,
  waiting: ClockIcon,
  attention: WarningIcon,
  bad: CrossIcon,
  idle: PauseIcon,
};

/** The history of a message along a line, oldest first. */
export function Timeline({ entries }: { readonly entries: readonly TimelineEntry[] }): ReactNode {
  return (
    <ol className={classes.timeline} aria-label="Timeline">
      {entries.map((entry) => (
        <Entry key={keyOf(entry)} entry={entry} />
      ))}
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

function Entry({ entry }: { readonly entry: TimelineEntry }): ReactNode {
  const { tone, what, more, answer, isStep } = lineOf(entry);
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
        <Time at={entry.at} />
      </span>
      <div className={classes.more}>
        {more}
        {entry.kind === 'delivery' && <Receiver delivery={entry} />}
        {answer !== null && <pre className={classes.answer}>{answer}</pre>}
      </div>
    </li>
  );
}

function Receiver({
  delivery: { webhookId, url, state, nextAttemptAt },
}: {
  readonly delivery: Extract<TimelineEntry, { kind: 'delivery' }>;
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
