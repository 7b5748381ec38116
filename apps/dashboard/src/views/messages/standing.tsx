import { Text } from '@mantine/core';
import type { MessageHistory } from '@notify/sdk';
import type { ReactNode } from 'react';
import { DueTime, Time } from '../../parts/time/time.tsx';

/** What a message waits for, in a sentence, and when that ends if it is known. */
export function Standing({
  message: { standing, scheduledAt },
}: {
  readonly message: Pick<MessageHistory, 'standing' | 'scheduledAt'>;
}): ReactNode {
  if (standing === null) return null;
  if (standing.code === 'scheduled' && standing.until !== null && standing.until === scheduledAt)
    return (
      <Text size="sm" c="dimmed">
        Scheduled for <Time at={scheduledAt} toMinute />.
      </Text>
    );
  return (
    <Text size="sm" c="dimmed">
      {standing.text}
      {standing.until !== null && <Until code={standing.code} at={standing.until} />}
    </Text>
  );
}

function Until({
  code,
  at,
}: {
  readonly code: NonNullable<MessageHistory['standing']>['code'];
  readonly at: string;
}): ReactNode {
  if (code === 'quiet-hours')
    return (
      <>
        {' '}
        They end <Time at={at} toMinute />.
      </>
    );
  return (
    <>
      {' '}
      Next step <DueTime at={at} />.
    </>
  );
}
