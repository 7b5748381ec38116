import { Alert, Progress, Text } from '@mantine/core';
import type { Webhook } from '@notify/sdk';
import { type ReactNode, useState } from 'react';
import { RefreshIcon } from '../../../parts/icons.tsx';
import { Time } from '../../../parts/time/time.tsx';
import { replayProgress } from './replay-span.ts';

/** The progress of a replay since this page first saw it. */
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
    <Alert color="ink" icon={<RefreshIcon />} title="Replaying">
      <Text size="sm">
        {webhook.state === 'failing' ? 'Paused until your endpoint responds again. ' : ''} Processed up to{' '}
        <Time at={reachedAt} />, of events until <Time at={until} />.
      </Text>
      <Progress value={percent} mt="sm" aria-label="Replay progress" />
    </Alert>
  );
}
