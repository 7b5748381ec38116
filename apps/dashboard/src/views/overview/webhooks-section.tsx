import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Usage } from '../../api/schema.ts';
import { Section } from '../../parts/section.tsx';
import { WebhookStatus } from '../../parts/status-badge.tsx';
import { webhookInWords } from './figures.ts';
import classes from './overview.module.css';

type Webhook = Usage['webhooks'][number];

/** Webhooks that need attention come first. */
const order: readonly Webhook['state'][] = ['failing', 'disabled', 'healthy'];

/** Each webhook: its health and its receiver's answers. */
export function WebhooksSection({ webhooks }: { readonly webhooks: readonly Webhook[] }): ReactNode {
  const sorted = webhooks.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state));
  return (
    <Section title="Webhooks" about="Endpoint health">
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
            <WebhookLine key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function WebhookLine({ webhook }: { readonly webhook: Webhook }): ReactNode {
  return (
    <li>
      <div className={classes.webhookHead}>
        <Anchor component={Link} to={`/webhooks/${webhook.id}`} inherit>
          {webhook.url}
        </Anchor>
        <WebhookStatus webhook={webhook} />
      </div>
      <Text size="sm" c="dimmed">
        {webhookInWords(webhook)}
      </Text>
    </li>
  );
}
