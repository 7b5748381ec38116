import { Text } from '@mantine/core';
import type { Webhook } from '@notify/sdk';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Fact, FactGrid } from '../../parts/fact.tsx';
import { WebhookStatus } from '../../parts/status-badge.tsx';
import { DueTime, Time } from '../../parts/time/time.tsx';
import { eventsInShort } from './event-kinds.ts';
import { waitingInWords } from './waiting.ts';
import classes from './webhooks.module.css';

/** A webhook in the list: its URL, its health and its waiting deliveries. */
export function WebhookCard({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const { id, url, description, disabledReason } = webhook;
  return (
    <li className={classes.card}>
      <div className={classes.cardHead}>
        <div>
          <Link
            to={`/webhooks/${id}`}
            className={`${classes.cardLink} ${description === null ? classes.url : ''}`}
          >
            {description ?? url}
          </Link>
          {description !== null && (
            <Text c="dimmed" className={classes.url}>
              {url}
            </Text>
          )}
        </div>
        <WebhookStatus webhook={webhook} />
      </div>
      {disabledReason !== null && <Text size="sm">{disabledReason}</Text>}
      <FactGrid>
        <Fact term="Events">{eventsInShort(webhook.events)}</Fact>
        <Fact term="Last success">
          <Time at={webhook.lastSuccessAt} since never="None yet" />
        </Fact>
        <Fact term="Pending">{waitingInWords(webhook.waiting)}</Fact>
        <Fact term="Next attempt">
          <Next webhook={webhook} />
        </Fact>
      </FactGrid>
    </li>
  );
}

function Next({ webhook: { isActive, nextAttemptAt } }: { readonly webhook: Webhook }): ReactNode {
  if (!isActive) return 'None while disabled';
  return nextAttemptAt === null ? 'With the next event' : <DueTime at={nextAttemptAt} />;
}
