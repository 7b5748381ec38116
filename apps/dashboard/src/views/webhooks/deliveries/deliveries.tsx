import { Button, Group, Skeleton, Stack, Title } from '@mantine/core';
import type { Webhook } from '@notify/sdk';
import { type ReactNode, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useLiveList } from '../../../api/live-list.ts';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { MoreButton } from '../../../parts/list/more-button.tsx';
import { NewerButton } from '../../../parts/list/newer-button.tsx';
import { AllCheckbox } from '../../../parts/list/row-checkbox.tsx';
import rows from '../../../parts/list/rows.module.css';
import { useIsReading } from '../../../parts/list/use-is-reading.ts';
import { type Selection, useSelection } from '../../../parts/list/use-selection.ts';
import { VirtualRows } from '../../../parts/list/virtual-rows.tsx';
import { DeliveryItem } from './delivery-item.tsx';
import classes from './deliveries.module.css';
import { canRetry, type Delivery } from './delivery.ts';
import { RetrySelected } from './retry-selected.tsx';

const everyMs = 4_000;
const pageSize = 25;

/** The views of the list. Their words are part of the address. */
const filters = [
  { state: 'errors', label: 'With errors', query: { failedSoFar: true } },
  { state: 'all', label: 'All', query: {} },
  { state: 'waiting', label: 'Pending', query: { state: 'waiting' } },
  { state: 'delivered', label: 'Delivered', query: { state: 'delivered' } },
  { state: 'failed', label: 'Failed', query: { state: 'failed' } },
  { state: 'skipped', label: 'Skipped', query: { state: 'skipped' } },
] as const;
type Filter = (typeof filters)[number];

/**
 * The deliveries of a webhook, newest first, all or some. Of a webhook that fails, those with errors are shown first. The
 * choice is part of the address.
 */
export function Deliveries({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const [search, setSearch] = useSearchParams();
  // Decided once, so that the list stays while the webhook recovers.
  const [first] = useState(() => (webhook.failureCount > 0 ? 'errors' : 'all'));
  const wanted = search.get('state') ?? first;
  const filter = filters.find(({ state }) => state === wanted) ?? filters[1];
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
              variant={one === filter ? 'light' : 'subtle'}
              color={one === filter ? 'ink' : 'gray'}
              aria-pressed={one === filter}
              onClick={() => setSearch({ state: one.state }, { preventScrollReset: true })}
            >
              {one.label}
            </Button>
          ))}
        </Group>
      </Group>
      <List key={filter.state} webhook={webhook} filter={filter} />
    </section>
  );
}

function List({ webhook, filter }: { readonly webhook: Webhook; readonly filter: Filter }): ReactNode {
  const table = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string): void =>
    setOpened(
      (before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]),
    );
  const selection = useSelection();
  const list = useLiveList(
    'get /v1/webhooks/{id}/deliveries',
    { path: { id: webhook.id }, query: { limit: pageSize, ...filter.query } },
    {
      everyMs,
      idOf: ({ id }) => id,
      isReading: useIsReading(table),
      keeps: (id) => opened.has(id) || selection.ids.has(id),
    },
  );
  const { query, items, more, newer } = list;
  return (
    <Loaded query={query} what="the deliveries" skeleton={<ListSkeleton />}>
      {() =>
        items.length === 0 ? (
          <NoDeliveries filter={filter.state} />
        ) : (
          <>
            <NewerButton newer={newer} what="delivery" plural="deliveries" list={table} />
            {webhook.isActive && <RetrySelected webhookId={webhook.id} items={items} selection={selection} />}
            <div
              ref={table}
              role="table"
              aria-label="Deliveries"
              aria-rowcount={more === null ? items.length + 1 : -1}
              className={rows.list}
            >
              <Header items={webhook.isActive ? items : []} selection={selection} />
              <VirtualRows items={items} idOf={({ id }) => id} heightPx={62}>
                {(delivery, index) => (
                  <DeliveryItem
                    delivery={delivery}
                    index={index}
                    webhook={webhook}
                    selection={selection}
                    isOpen={opened.has(delivery.id)}
                    onToggle={() => toggle(delivery.id)}
                  />
                )}
              </VirtualRows>
            </div>
            <MoreButton list={list} what="delivery" plural="deliveries" />
          </>
        )
      }
    </Loaded>
  );
}

function Header({
  items,
  selection,
}: {
  readonly items: readonly Delivery[];
  readonly selection: Selection;
}): ReactNode {
  const ids = items.filter(canRetry).map(({ id }) => id);
  return (
    <div role="rowgroup">
      <div role="row" aria-rowindex={1} className={`${rows.row} ${rows.header} ${classes.summary}`}>
        <span role="columnheader" className={classes.pick}>
          <AllCheckbox ids={ids} label="Select all deliveries shown" selection={selection} />
        </span>
        <span role="columnheader" className={classes.event}>
          Event
        </span>
        <span role="columnheader" className={classes.about}>
          Recipient and IDs
        </span>
        <span role="columnheader" className={classes.result}>
          Result
        </span>
        <span role="columnheader" className={classes.state}>
          State
        </span>
        <span role="columnheader" className={classes.time}>
          Created
        </span>
      </div>
    </div>
  );
}

const nothing: Readonly<Record<Filter['state'], string>> = {
  errors: 'No deliveries with errors',
  all: 'No deliveries yet',
  waiting: 'No pending deliveries',
  delivered: 'No successful deliveries yet',
  failed: 'No failed deliveries',
  skipped: 'No skipped deliveries',
};

function NoDeliveries({ filter }: { readonly filter: Filter['state'] }): ReactNode {
  return (
    <EmptyState title={nothing[filter]}>
      {filter === 'all'
        ? 'Events appear here as they are posted, with the response of your endpoint.'
        : 'Deliveries are kept for 30 days.'}
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
