import { Anchor, Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useChange } from '../../api/hooks.ts';
import type { Webhook } from '../../api/schema.ts';
import { ChevronRightIcon } from '../../parts/icons.tsx';
import { Time } from '../../parts/time.tsx';
import { Attempts } from './attempts.tsx';
import classes from './deliveries.module.css';
import { type Delivery, deliveryInShort, endInWords } from './delivery.ts';
import { DeliveryState } from './delivery-state.tsx';
import { NextAttempt } from './next-attempt.tsx';

/** A delivery in one line. Opened, it shows its attempts and can be retried. */
export function DeliveryItem({
  delivery,
  webhook,
}: {
  readonly delivery: Delivery;
  readonly webhook: Webhook;
}): ReactNode {
  const [opened, setOpened] = useState(false);
  const { event, createdAt } = delivery;
  return (
    <li className={classes.item}>
      <details open={opened} onToggle={(toggled) => setOpened(toggled.currentTarget.open)}>
        <summary className={classes.summary}>
          <span className={classes.mark}>
            <ChevronRightIcon size={14} />
          </span>
          <span className={classes.event}>{event ?? 'event deleted'}</span>
          <span className={classes.result}>{deliveryInShort(delivery)}</span>
          <span className={classes.state}>
            <DeliveryState delivery={delivery} />
          </span>
          <span className={classes.time}>
            <Time at={createdAt} since />
          </span>
        </summary>
        {opened && <Details delivery={delivery} webhook={webhook} />}
      </details>
    </li>
  );
}

function Details({
  delivery,
  webhook,
}: {
  readonly delivery: Delivery;
  readonly webhook: Webhook;
}): ReactNode {
  const { id, eventId, messageId, nextAttemptAt } = delivery;
  const end = endInWords(delivery);
  return (
    <div className={classes.details}>
      <Attempts attempts={delivery.attempts} />
      {end !== null && <Text size="sm">{end}</Text>}
      {nextAttemptAt !== null && (
        <Text size="sm">
          Next attempt: <NextAttempt at={nextAttemptAt} />
        </Text>
      )}
      <Group justify="space-between" align="flex-end">
        <Text size="xs" c="dimmed" className={classes.ids} component="div">
          {messageId !== null && (
            <div>
              Message{' '}
              <Anchor component={Link} to={`/messages/${messageId}`} inherit>
                {messageId}
              </Anchor>
            </div>
          )}
          <div>Event {eventId}</div>
          <div>Delivery {id}</div>
        </Text>
        {webhook.isActive && <RetryButton delivery={delivery} webhookId={webhook.id} />}
      </Group>
    </div>
  );
}

/** Retries a waiting delivery at once. For an ended delivery it creates a new one, which appears first in the list. */
function RetryButton({
  delivery: { id, state, event },
  webhookId,
}: {
  readonly delivery: Delivery;
  readonly webhookId: string;
}): ReactNode {
  const { mutate, isPending } = useChange('post /v1/webhooks/{id}/deliveries/{deliveryId}/retry', {
    refresh: ['get /v1/webhooks/{id}', 'get /v1/webhooks/{id}/deliveries'],
  });
  const retry = (): void =>
    mutate(
      { path: { id: webhookId, deliveryId: id } },
      {
        onSuccess: () =>
          notifications.show({
            message: state === 'waiting' ? 'Retrying now.' : 'Redelivering as a new delivery.',
          }),
        onError: ({ message }) => notifications.show({ color: 'red', title: 'Could not retry', message }),
      },
    );
  if (event === null) return null;
  return (
    <Button size="xs" variant="default" loading={isPending} onClick={retry}>
      {state === 'waiting' ? 'Retry now' : 'Redeliver'}
    </Button>
  );
}
