import { Anchor, Text } from '@mantine/core';
import type { Usage } from '@notify/sdk';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { channelName } from '../../parts/channel-name.ts';
import { Section } from '../../parts/section.tsx';
import { failureAdvice } from '../messages/failure-advice.ts';
import { amount } from '../../parts/time/time-text.ts';
import { restInWords } from './figures.ts';
import classes from './overview.module.css';

const most = 8;

/** Causes of failed messages, most frequent first, each with advice and a link to the messages. */
export function FailuresSection({
  usage: { failures, from, until },
}: {
  readonly usage: Pick<Usage, 'failures' | 'from' | 'until'>;
}): ReactNode {
  const largest = failures[0]?.messages ?? 1;
  return (
    <Section title="Failures" about="By error code.">
      {failures.length === 0 ? (
        <Text size="sm" c="dimmed">
          No failures in this period.
        </Text>
      ) : (
        <ul className={classes.failures}>
          {failures.slice(0, most).map(({ channel, errorCode, messages }) => (
            <li key={`${channel} ${errorCode}`}>
              <div className={classes.failureHead}>
                <Anchor
                  component={Link}
                  to={`/messages?${new URLSearchParams({ status: 'failed', channel, errorCode, from, until })}`}
                  inherit
                >
                  {errorCode}
                </Anchor>
                <span>{channelName(channel)}</span>
                <strong>{amount(messages)}</strong>
              </div>
              <svg className={classes.bar} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                <rect width={Math.max(1, (100 * messages) / largest)} height="4" />
              </svg>
              <Text size="sm" c="dimmed">
                {failureAdvice(errorCode)}
              </Text>
            </li>
          ))}
        </ul>
      )}
      {failures.length > most && (
        <Text size="sm" c="dimmed" mt="sm">
          {restInWords(failures.length - most)}
        </Text>
      )}
    </Section>
  );
}
