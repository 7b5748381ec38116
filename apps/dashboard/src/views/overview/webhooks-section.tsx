import { Anchor, Text } from '@mantine/core';
import type { Usage, Webhook as WholeWebhook } from '@notify/sdk';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useRead } from '../../api/hooks.ts';
import { Section } from '../../parts/section.tsx';
import { WebhookStatus } from '../../parts/status-badge.tsx';
import { webhookInWords } from './figures.ts';
import classes from './overview.module.css';

type Webhook = Usage['webhooks'][number];

/** Webhooks that need attention come first. */
const order: readonly Webhook['state'][] = ['failing', 'disabled', 'healthy'];

/** Each webhook: its health and its receiver's answers. */
export function WebhooksSection({ webhooks }: { readonly webhooks: readonly Webhook[] }): ReactNode {
  // The figures say less of a webhook's health than the webhook itself does.
  const { data: whole = [] } = useRead('get /v1/webhooks', {});
  const sorted = webhooks.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state));
  return (
    <Section title="Webhooks" about="The health of your endpoints.">
      {sorted.length === 0 ? (
        <Text size="sm" c="dimmed">
          No webhooks yet.{' '}
          <Anchor component={Link} to="/webhooks" inherit underline="always">
            Add one
          </Anchor>{' '}
          to receive message events.
        </Text>
      ) : (
        <ul className={classes.webhooks}>
          {sorted.map((webhook) => (
            <WebhookLine
              key={webhook.id}
              webhook={webhook}
              whole={whole.find(({ id }) => id === webhook.id)}
            />
          ))}
        </ul>
      )}
    </Section>
  );
}

function WebhookLine({
  webhook,
  whole,
}: {
  readonly webhook: Webhook;
  readonly whole: WholeWebhook | undefined;
}): ReactNode {
  return (
    <li>
      <div className={classes.webhookHead}>
        <Anchor component={Link} to={`/webhooks/${webhook.id}`} inherit>
          {webhook.url}
        </Anchor>
        <WebhookStatus webhook={whole ?? webhook} />
      </div>
      <Text size="sm" c="dimmed">
        {webhookInWords(webhook)}
      </Text>
    </li>
  );
}
