import { Anchor, Button, Skeleton, Stack } from '@mantine/core';
import type { CreatedWebhook } from '@notify/sdk';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useRead } from '../../api/hooks.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { PlusIcon, WebhookIcon } from '../../parts/icons.tsx';
import { ListCount } from '../../parts/list/list-count.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../shell/page.tsx';
import { CreateWebhook } from './change/create-webhook.tsx';
import { NewWebhook } from './change/new-webhook.tsx';
import { WebhookCard } from './webhook-card.tsx';
import classes from './webhooks.module.css';

const everyMs = 5_000;

/** The webhooks with their health, and a button to add one. */
export function WebhooksView(): ReactNode {
  const webhooks = useRead('get /v1/webhooks', {}, { everyMs });
  const [creates, setCreates] = useState(false);
  const [created, setCreated] = useState<CreatedWebhook | null>(null);
  return (
    <Page
      title="Webhooks"
      about={
        <>
          Endpoints that receive message events.{' '}
          <Anchor component={Link} to="/webhooks/verify" underline="always" inherit>
            Verify signatures
          </Anchor>
        </>
      }
      actions={
        <Button leftSection={<PlusIcon size={16} />} onClick={() => setCreates(true)}>
          Add a webhook
        </Button>
      }
    >
      <Loaded query={webhooks} what="the webhooks" skeleton={<ListSkeleton />}>
        {(list) =>
          list.length === 0 ? (
            <NoWebhooks onAdd={() => setCreates(true)} />
          ) : (
            <>
              <ul className={classes.list} aria-label="Webhooks">
                {list.map((webhook) => (
                  <WebhookCard key={webhook.id} webhook={webhook} />
                ))}
              </ul>
              <ListCount count={list.length} what="webhook" />
            </>
          )
        }
      </Loaded>
      {creates && <CreateWebhook onClose={() => setCreates(false)} onCreated={setCreated} />}
      {created !== null && <NewWebhook created={created} onDone={() => setCreated(null)} />}
    </Page>
  );
}

function NoWebhooks({ onAdd }: { readonly onAdd: () => void }): ReactNode {
  return (
    <EmptyState
      title="No webhooks yet"
      icon={<WebhookIcon size={22} />}
      action={
        <Button variant="light" onClick={onAdd}>
          Add your first webhook
        </Button>
      }
    >
      Add an endpoint, and Notify posts an event to it when a message is sent, delivered, read or failed. No
      polling needed.
    </EmptyState>
  );
}

function ListSkeleton(): ReactNode {
  return (
    <Stack gap="sm">
      <Skeleton height={118} radius="lg" />
      <Skeleton height={118} radius="lg" />
    </Stack>
  );
}
