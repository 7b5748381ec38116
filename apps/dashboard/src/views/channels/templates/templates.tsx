import { Anchor, Button, Group, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { ChannelAccount } from '@notify/sdk';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { useRead } from '../../../api/hooks.ts';
import { BackLink } from '../../../parts/back-link.tsx';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { RefreshIcon, TemplateIcon } from '../../../parts/icons.tsx';
import { useFilter } from '../../../parts/list/use-filter.ts';
import { Loaded } from '../../../parts/loaded.tsx';
import { Time, useNow } from '../../../parts/time/time.tsx';
import { Page } from '../../../shell/page.tsx';
import { AdviceAlert } from '../account-alert.tsx';
import { type AccountTemplates, hasTemplates } from './account-templates.ts';
import { matching, readFilter, writeFilter } from './filter.ts';
import { TemplateFilters } from './template-filters.tsx';
import { TemplateList } from './template-list.tsx';
import { adviceOnSync } from './sync-advice.ts';
import { placeOf } from './template-advice.ts';
import { type Synced, useSyncedTemplates } from './use-sync.ts';

const addressed = { read: readFilter, write: writeFilter, replaces: true };

/** The templates of one account. The filters are part of the address, and of the way back. */
export function TemplatesView(): ReactNode {
  const { id = '' } = useParams();
  const account = useRead('get /v1/channel-accounts/{id}', { path: { id } });
  const providers = useRead('get /v1/providers');
  return (
    <Loaded query={account} what="the account" notFound="account" skeleton={<ListSkeleton />}>
      {(found) => (
        <Loaded query={providers} what="the account" skeleton={<ListSkeleton />}>
          {(all) =>
            hasTemplates(all.find((one) => one.id === found.provider)) ? (
              <Templates account={found} />
            ) : (
              <NotSupported account={found} />
            )
          }
        </Loaded>
      )}
    </Loaded>
  );
}

/** Nothing leads here, but somebody may type the address. */
function NotSupported({ account }: { readonly account: ChannelAccount }): ReactNode {
  return (
    <Page
      title="Templates"
      back={<BackLink to={`/channels/${account.id}`}>{account.name}</BackLink>}
      zone={null}
    >
      <EmptyState title="This provider has no templates" icon={<TemplateIcon size={22} />}>
        Send texts and files from this account.
      </EmptyState>
    </Page>
  );
}

function Templates({ account }: { readonly account: ChannelAccount }): ReactNode {
  const synced = useSyncedTemplates(account.id);
  return (
    <Page
      title="Templates"
      back={<BackLink to={`/channels/${account.id}`}>{account.name}</BackLink>}
      actions={
        <Button
          variant="default"
          leftSection={<RefreshIcon size={16} />}
          loading={synced.isSyncing}
          onClick={synced.sync}
        >
          Sync now
        </Button>
      }
    >
      <Stack gap="md">
        <Loaded query={synced.query} what="the templates" skeleton={<ListSkeleton />}>
          {(list) => <Synchronized list={list} account={account} synced={synced} />}
        </Loaded>
      </Stack>
    </Page>
  );
}

function Synchronized({
  list,
  account,
  synced,
}: {
  readonly list: AccountTemplates;
  readonly account: ChannelAccount;
  readonly synced: Synced;
}): ReactNode {
  const [filter, change] = useFilter(addressed);
  const now = useNow();
  const found = matching(list.templates, filter);
  return (
    <>
      <AdviceAlert
        advice={synced.isSyncing ? null : adviceOnSync(list.sync, account, now)}
        action={
          list.sync.syncError !== null && (
            <Anchor component={Link} to={`/channels/${account.id}`} inherit underline="always">
              Open the settings
            </Anchor>
          )
        }
      />
      <SyncLine list={list} synced={synced} />
      {list.templates.length === 0 ? (
        <NoTemplates list={list} provider={account.provider} />
      ) : (
        <>
          <TemplateFilters
            filter={filter}
            templates={list.templates}
            found={found.length}
            onChange={change}
          />
          {found.length === 0 ? (
            <EmptyState title="No matching templates">Change the search or the status.</EmptyState>
          ) : (
            <TemplateList templates={found} />
          )}
        </>
      )}
    </>
  );
}

/** When the list was last read from the provider. Screen readers hear how a sync goes, but not the time that passes. */
function SyncLine({
  list: { sync },
  synced: { isSyncing, hasEnded, error },
}: {
  readonly list: AccountTemplates;
  readonly synced: Synced;
}): ReactNode {
  const ended = sync.syncError === null ? 'Synced' : 'Sync failed';
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed" component="div">
        {isSyncing ? (
          'Syncing with the provider…'
        ) : (
          <>
            Last synced: <Time at={sync.syncedAt} since never="never" />
          </>
        )}
      </Text>
      <VisuallyHidden role="status">
        {isSyncing && 'Syncing'}
        {hasEnded && ended}
      </VisuallyHidden>
      {error !== null && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {error.message}
        </Text>
      )}
    </Group>
  );
}

function NoTemplates({
  list: {
    sync: { syncedAt },
  },
  provider,
}: {
  readonly list: AccountTemplates;
  readonly provider: string;
}): ReactNode {
  // The advice above says why.
  if (syncedAt === null) return null;
  return (
    <EmptyState title="No templates yet" icon={<TemplateIcon size={22} />}>
      Create templates {placeOf(provider)}. They appear here within 15 minutes, or when you sync now.
    </EmptyState>
  );
}

function ListSkeleton(): ReactNode {
  return (
    <Stack gap={6} pt={64}>
      {Array.from({ length: 6 }, (_, line) => (
        <Skeleton key={line} height={46} radius="md" />
      ))}
    </Stack>
  );
}
