import { Alert, Progress, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Webhook } from '../../api/schema.ts';
import { RefreshIcon } from '../../parts/icons.tsx';
import { Time } from '../../parts/time.tsx';
import { replayProgress } from './replay-span.ts';

/** How far a replay has come, counted from where it was first seen here. */
export function ReplayNotice({
  webhook,
  replay: { reachedAt, until },
}: {
  readonly webhook: Webhook;
  readonly replay: NonNullable<Webhook['replay']>;
}): ReactNode {
  const reachedMs = Date.parse(reachedAt);
  const [fromMs] = useState(reachedMs);
  const percent = 100 * replayProgress(fromMs, reachedMs, Date.parse(until));
  return (
    <Alert color="ink" icon={<RefreshIcon />} title="A replay is under way">
      <Text size="sm">
        {webhook.state === 'failing' ? 'It waits until your receiver answers again. ' : ''}
        It has come to the events of <Time at={reachedAt} />, and goes on to those of <Time at={until} />.
      </Text>
      <Progress value={percent} mt="sm" aria-label="Progress of the replay" />
    </Alert>
  );
}
