import { Anchor, Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Webhook } from '@notify/sdk';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { useChange, useRead } from '../../../api/hooks.ts';
import { ChevronRightIcon } from '../../../parts/icons.tsx';
import { RowCheckbox } from '../../../parts/list/row-checkbox.tsx';
import rows from '../../../parts/list/rows.module.css';
import { shortId } from '../../../parts/copy/short-id.ts';
import { DueTime, Time } from '../../../parts/time/time.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import type { Selection } from '../../../parts/list/use-selection.ts';
import { Attempts } from './attempts.tsx';
import classes from './deliveries.module.css';
import { canRetry, type Delivery, deliveryInShort, endInWords, eventInShort, idToRetry } from './delivery.ts';
import { PackedEvents } from './packed-events.tsx';
import { PostedBody } from './posted.tsx';

/** A delivery in one line. Opened, it shows what was posted and every attempt, and can be retried. */
export function DeliveryItem({
  delivery,
  index,
  webhook,
  selection,
  isOpen,
  onToggle,
}: {
  readonly delivery: Delivery;
  /** Its place in the table. */
  readonly index: number;
  readonly webhook: Webhook;
  readonly selection: Selection;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}): ReactNode {
  const detailsId = useId();
  const { eventId, recipient, createdAt } = delivery;
  return (
    <>
      <div role="row" aria-rowindex={index} className={`${rows.row} ${classes.summary}`}>
        <span role="cell" className={classes.pick}>
          <RowCheckbox
            id={delivery.id}
            label={`Select ${eventInShort(delivery)} ${recipient === null ? shortId(eventId) : `to ${recipient}`}`}
            selection={selection}
            disabled={!webhook.isActive || !canRetry(delivery)}
          />
        </span>
        <span role="cell" className={classes.event}>
          <button
            type="button"
            className={`${rows.cover} ${classes.toggle}`}
            aria-expanded={isOpen}
            aria-controls={detailsId}
            onClick={onToggle}
          >
            <span className={classes.mark}>
              <ChevronRightIcon size={14} />
            </span>
            {eventInShort(delivery)}
          </button>
        </span>
        <span role="cell" className={classes.about}>
          <About delivery={delivery} />
        </span>
        <span role="cell" className={classes.result}>
          {deliveryInShort(delivery)}
        </span>
        <span role="cell" className={classes.state}>
          <DeliveryState delivery={delivery} />
        </span>
        <span role="cell" className={classes.time}>
          <Time at={createdAt} since />
        </span>
      </div>
      {isOpen && (
        <div role="row" id={detailsId}>
          <div role="cell" aria-colspan={6}>
            <Details delivery={delivery} webhook={webhook} />
          </div>
        </div>
      )}
    </>
  );
}

/** What tells two deliveries of the same kind of event apart. */
function About({
  delivery: { recipient, messageId, eventId, packId, eventCount },
}: {
  readonly delivery: Delivery;
}): ReactNode {
  if (packId !== null && eventCount > 1)
    return (
      <span className={classes.shortIds}>
        <span title={packId}>{shortId(packId)}</span>
      </span>
    );
  return (
    <>
      {recipient !== null && <span className={classes.recipient}>{recipient}</span>}
      <span className={classes.shortIds}>
        {messageId !== null && (
          <Link to={`/messages/${messageId}`} title={messageId}>
            {shortId(messageId)}
          </Link>
        )}
        <span title={eventId}>{shortId(eventId)}</span>
      </span>
    </>
  );
}

const everyMs = 3_000;

function Details({
  delivery: listed,
  webhook,
}: {
  readonly delivery: Delivery;
  readonly webhook: Webhook;
}): ReactNode {
  const path = { id: webhook.id, deliveryId: listed.id };
  // Newer than the list, which does not ask again for its further pages.
  const { data: details } = useRead(
    'get /v1/webhooks/{id}/deliveries/{deliveryId}',
    { path },
    { everyMs: (found) => (found === undefined || found.state === 'waiting' ? everyMs : false) },
  );
  const delivery = details ?? listed;
  const { id, packId, eventCount, eventId, messageId, nextAttemptAt } = delivery;
  const end = endInWords(delivery);
  return (
    <div className={classes.details}>
      <Attempts delivery={delivery} />
      {end !== null && <Text size="sm">{end}</Text>}
      {nextAttemptAt !== null && (
        <Text size="sm">
          Next attempt: <DueTime at={nextAttemptAt} />
        </Text>
      )}
      {details !== undefined && eventCount > 1 && <PackedEvents events={details.events} />}
      {details !== undefined && <PostedBody request={details.request} />}
      <Group justify="space-between" align="flex-end">
        <Text size="xs" c="dimmed" className={classes.ids} component="div">
          {eventCount === 1 && messageId !== null && (
            <div>
              Message{' '}
              <Anchor component={Link} to={`/messages/${messageId}`} inherit>
                {messageId}
              </Anchor>
            </div>
          )}
          {eventCount === 1 && <div>Event {eventId}</div>}
          {packId !== null && <div>Pack {packId}</div>}
          {eventCount === 1 && <div>Delivery {id}</div>}
        </Text>
        {webhook.isActive && canRetry(delivery) && <RetryButton delivery={delivery} webhookId={webhook.id} />}
      </Group>
    </div>
  );
}

/** Retries a waiting delivery at once. For an ended delivery it creates a new one, which appears first in the list. */
function RetryButton({
  delivery,
  webhookId,
}: {
  readonly delivery: Delivery;
  readonly webhookId: string;
}): ReactNode {
  const { state } = delivery;
  const { mutate, isPending } = useChange('post /v1/webhooks/{id}/deliveries/{deliveryId}/retry', {
    refresh: [
      'get /v1/webhooks/{id}',
      'get /v1/webhooks/{id}/deliveries',
      'get /v1/webhooks/{id}/deliveries/{deliveryId}',
    ],
  });
  const retry = (): void =>
    mutate(
      { path: { id: webhookId, deliveryId: idToRetry(delivery) } },
      {
        onSuccess: () =>
          notifications.show({
            message: state === 'waiting' ? 'Retrying now.' : 'Redelivering as a new delivery.',
          }),
        onError: ({ message }) => notifications.show({ color: 'red', title: 'Could not retry', message }),
      },
    );
  return (
    <Button size="xs" variant="default" loading={isPending} onClick={retry}>
      {state === 'waiting' ? 'Retry now' : 'Redeliver'}
    </Button>
  );
}

/** The state of a delivery as a badge. Says if the delivery waits for another attempt. */
function DeliveryState({
  delivery: { state, attempts },
}: {
  readonly delivery: Pick<Delivery, 'state' | 'attempts'>;
}): ReactNode {
  switch (state) {
    case 'delivered':
      return <StatusBadge tone="good">Delivered</StatusBadge>;
    case 'failed':
      return <StatusBadge tone="bad">Failed</StatusBadge>;
    case 'skipped':
      return <StatusBadge tone="idle">Skipped</StatusBadge>;
    case 'waiting':
      return attempts.length === 0 ? (
        <StatusBadge tone="waiting">Pending</StatusBadge>
      ) : (
        <StatusBadge tone="attention">Retrying</StatusBadge>
      );
  }
}
