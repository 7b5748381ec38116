import { Anchor, Text } from '@mantine/core';
import type { DeliveryDetails } from '@notify/sdk';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { shortId } from '../../../parts/copy/short-id.ts';
import classes from './deliveries.module.css';

/** The events of a pack, in the order in which they are posted. */
export function PackedEvents({ events }: Pick<DeliveryDetails, 'events'>): ReactNode {
  return (
    <details className={classes.posted}>
      <summary>{events.length} events</summary>
      <ol aria-label="Events of the pack">
        {events.map(({ deliveryId, eventId, event, messageId, recipient }) => (
          <Text key={deliveryId} component="li" size="xs">
            {event ?? 'event deleted'} {recipient !== null && <>to {recipient} </>}
            {messageId !== null && (
              <Anchor component={Link} to={`/messages/${messageId}`} inherit title={messageId}>
                {shortId(messageId)}
              </Anchor>
            )}{' '}
            <span title={eventId}>{shortId(eventId)}</span>
          </Text>
        ))}
      </ol>
    </details>
  );
}
