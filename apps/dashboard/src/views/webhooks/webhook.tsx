import { Skeleton, Stack } from '@mantine/core';
import type { Webhook } from '@notify/sdk';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { useRead } from '../../api/hooks.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../shell/page.tsx';
import { Deliveries } from './deliveries/deliveries.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookFacts } from './webhook-facts.tsx';
import { WebhookNotices } from './webhook-notices.tsx';

const everyMs = 3_000;

/** One webhook: its health with the reason, its actions, and every delivery with its attempts. */
export function WebhookView(): ReactNode {
  const { id = '' } = useParams();
  const webhook = useRead('get /v1/webhooks/{id}', { path: { id } }, { everyMs });
  return (
    <Loaded query={webhook} what="the webhook" notFound="webhook" skeleton={<PageSkeleton />}>
      {(data) => <WebhookPage webhook={data} />}
    </Loaded>
  );
}

function WebhookPage({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const { description, url } = webhook;
  return (
    <Page
      title={description ?? new URL(url).host}
      back={<BackLink to="/webhooks">webhooks</BackLink>}
      actions={<WebhookActions webhook={webhook} />}
    >
      <Stack gap="lg">
        <WebhookFacts webhook={webhook} />
        <WebhookNotices webhook={webhook} />
        <Deliveries webhook={webhook} />
      </Stack>
    </Page>
  );
}

function PageSkeleton(): ReactNode {
  return (
    <Stack gap="lg">
      <Skeleton height={36} width={180} />
      <Skeleton height={170} radius="lg" />
      <Skeleton height={320} radius="lg" />
    </Stack>
  );
}
