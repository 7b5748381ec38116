import { Text } from '@mantine/core';
import type { DeliveryDetails } from '@notify/sdk';
import type { ReactNode } from 'react';
import { duration } from '../../../parts/time/time-text.ts';
import { Time } from '../../../parts/time/time.tsx';
import { explainAttempt } from './attempt-words.ts';
import classes from './deliveries.module.css';
import type { Attempt, Delivery } from './delivery.ts';
import { PostedHeaders } from './posted.tsx';

/** Its headers are known once the delivery has been read by itself. */
type ShownAttempt = Attempt & Partial<Pick<DeliveryDetails['attempts'][number], 'headers'>>;

/** Every attempt at a delivery, newest first: the request, the answer, the duration, and advice about the newest. */
export function Attempts({
  delivery: { attempts, state },
}: {
  readonly delivery: { readonly attempts: readonly ShownAttempt[]; readonly state: Delivery['state'] };
}): ReactNode {
  if (attempts.length === 0) {
    // Of a delivery that has ended, its end says everything.
    if (state !== 'waiting') return null;
    return (
      <Text size="sm" c="dimmed">
        No attempts yet.
      </Text>
    );
  }
  return (
    <ol className={classes.attempts} reversed aria-label="Attempts, the latest first">
      {attempts.toReversed().map((attempt, place) => (
        <AttemptItem key={`${attempt.number} ${attempt.at}`} attempt={attempt} isLatest={place === 0} />
      ))}
    </ol>
  );
}

function AttemptItem({
  attempt,
  isLatest,
}: {
  readonly attempt: ShownAttempt;
  readonly isLatest: boolean;
}): ReactNode {
  const { number, at, durationMs, answer, status, headers } = attempt;
  const { what, advice } = explainAttempt(attempt);
  const succeeded = status !== null && status >= 200 && status < 300;
  return (
    <li className={classes.attempt} data-tone={succeeded ? 'good' : 'bad'}>
      <Text size="sm" fw={600}>
        {what}
      </Text>
      <Text size="xs" c="dimmed" component="div">
        Attempt {number} · <Time at={at} /> · took {duration(durationMs)}
      </Text>
      {isLatest && advice !== null && (
        <Text size="sm" mt={4}>
          {advice}
        </Text>
      )}
      {status !== null && <Answer text={answer} />}
      {headers !== undefined && <PostedHeaders headers={headers} />}
    </li>
  );
}

function Answer({ text }: { readonly text: string | null }): ReactNode {
  if (text === null || text.trim() === '') {
    return (
      <Text size="xs" c="dimmed" mt={4}>
        Empty response body.
      </Text>
    );
  }
  return (
    // Scrollable, so it must be reachable with the keyboard.
    <pre className={classes.answer} tabIndex={0} role="region" aria-label="Response body">
      {text}
    </pre>
  );
}
