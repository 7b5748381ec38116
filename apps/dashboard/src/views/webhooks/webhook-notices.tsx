import { Alert, Button, Group, Text } from '@mantine/core';
import type { Webhook } from '@notify/sdk';
import type { ReactNode } from 'react';
import { InfoIcon, WarningIcon } from '../../parts/icons.tsx';
import { DueTime, Time } from '../../parts/time/time.tsx';
import { explainAttempt } from './deliveries/attempt-words.ts';
import { healthAdvice } from './health.ts';
import { ReplayNotice } from './replay/replay-notice.tsx';
import { useEnable } from './change/use-enable.ts';

/** The current problems of a webhook, each with its actions. */
export function WebhookNotices({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const { previousSecretUntil, replay } = webhook;
  return (
    <>
      <HealthNotice webhook={webhook} />
      {replay !== null && <ReplayNotice webhook={webhook} replay={replay} />}
      {previousSecretUntil !== null && (
        <Alert color="gray" icon={<InfoIcon />} title="Two secrets are active">
          <Text size="sm">
            The secret was rotated. Until <Time at={previousSecretUntil} />, requests are signed with the
            previous secret as well. Configure the new one on your endpoint before then.
          </Text>
        </Alert>
      )}
    </>
  );
}

function HealthNotice({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const advice = healthAdvice(webhook);
  if (advice === null) return null;
  const { color, title, text } = advice;
  return (
    <Alert color={color} icon={color === 'gray' ? <InfoIcon /> : <WarningIcon />} title={title}>
      <Text size="sm">{text}</Text>
      <LastFailure webhook={webhook} />
      {!webhook.isActive && (
        <Group mt="sm" gap="sm">
          <EnableButton id={webhook.id} />
        </Group>
      )}
    </Alert>
  );
}

/** The error of the latest attempt with advice, its time, and the time of the next probe. */
function LastFailure({ webhook: { lastFailure, ...webhook } }: { readonly webhook: Webhook }): ReactNode {
  if (lastFailure === null) return null;
  const { what, advice } = explainAttempt(lastFailure);
  return (
    <>
      <Text size="sm" mt="xs">
        <strong>Last error: {what}</strong> {advice}
      </Text>
      <Text size="sm" mt="xs">
        Last failed attempt: <Time at={lastFailure.at} since />
        {webhook.state === 'failing' && (
          <>
            {' · Next probe: '}
            <NextProbe webhook={webhook} />
          </>
        )}
      </Text>
    </>
  );
}

function NextProbe({
  webhook: { nextAttemptAt, waiting },
}: {
  readonly webhook: Pick<Webhook, 'nextAttemptAt' | 'waiting'>;
}): ReactNode {
  if (nextAttemptAt !== null) return <DueTime at={nextAttemptAt} />;
  return waiting === 0 ? 'with the next event' : 'due';
}

function EnableButton({ id }: { readonly id: string }): ReactNode {
  const enable = useEnable(id);
  return (
    <Button size="xs" variant="default" loading={enable.isPending} onClick={enable.run}>
      Enable
    </Button>
  );
}
