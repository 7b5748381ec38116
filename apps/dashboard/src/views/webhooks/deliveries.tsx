import { Button, Group, Skeleton, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { usePages } from '../../api/hooks.ts';
import type { Webhook } from '../../api/schema.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { DeliveryItem } from './delivery-item.tsx';
import classes from './deliveries.module.css';

const everyMs = 3_000;
const pageSize = 25;

const filters = [
  { state: null, label: 'All' },
  { state: 'waiting', label: 'Pending' },
  { state: 'delivered', label: 'Delivered' },
  { state: 'failed', label: 'Failed' },
  { state: 'skipped', label: 'Skipped' },
] as const;
type State = (typeof filters)[number]['state'];

/** The deliveries of a webhook, newest first, all or those in one state. The state is part of the address. */
export function Deliveries({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const [search, setSearch] = useSearchParams();
  const state = filters.find((one) => one.state === search.get('state'))?.state ?? null;
  const choose = (chosen: State): void =>
    setSearch(chosen === null ? {} : { state: chosen }, { replace: true, preventScrollReset: true });
  return (
    <section aria-labelledby="deliveries">
      <Group justify="space-between" mb="sm">
        <Title order={2} id="deliveries">
          Deliveries
        </Title>
        <Group gap={4} role="group" aria-label="Filter by state">
          {filters.map((one) => (
            <Button
              key={one.label}
              size="compact-sm"
              variant={one.state === state ? 'light' : 'subtle'}
              color={one.state === state ? 'ink' : 'gray'}
              aria-pressed={one.state === state}
              onClick={() => choose(one.state)}
            >
              {one.label}
            </Button>
          ))}
        </Group>
      </Group>
      <List key={state} webhook={webhook} state={state} />
    </section>
  );
}

function List({ webhook, state }: { readonly webhook: Webhook; readonly state: State }): ReactNode {
  const pages = usePages(
    'get /v1/webhooks/{id}/deliveries',
    { path: { id: webhook.id }, query: { limit: pageSize, ...(state === null ? {} : { state }) } },
    { everyMs },
  );
  const { query, items } = pages;
  return (
    <Loaded query={query} what="the deliveries" skeleton={<ListSkeleton />}>
      {() =>
        items === undefined || items.length === 0 ? (
          <NoDeliveries state={state} />
        ) : (
          <>
            <ul className={classes.list} aria-label="Deliveries">
              {items.map((delivery) => (
                <DeliveryItem key={delivery.id} delivery={delivery} webhook={webhook} />
              ))}
            </ul>
            <MoreButton pages={pages} />
          </>
        )
      }
    </Loaded>
  );
}

const nothing: Readonly<Record<Exclude<State, null>, string>> = {
  waiting: 'No pending deliveries',
  delivered: 'No successful deliveries yet',
  failed: 'No failed deliveries',
  skipped: 'No skipped deliveries',
};

function NoDeliveries({ state }: { readonly state: State }): ReactNode {
  if (state !== null) return <EmptyState title={nothing[state]}>Deliveries are kept for 30 days.</EmptyState>;
  return (
    <EmptyState title="No deliveries yet">
      Events appear here as they are posted, with the response of your endpoint.
    </EmptyState>
  );
}

function ListSkeleton(): ReactNode {
  return (
    <Stack gap="xs">
      {[0, 1, 2, 3, 4].map((line) => (
        <Skeleton key={line} height={58} radius="md" />
      ))}
    </Stack>
  );
}
