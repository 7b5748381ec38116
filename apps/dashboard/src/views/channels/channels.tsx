import { SimpleGrid, Skeleton, Stack, Title } from '@mantine/core';
import type { ChannelAccount, Provider } from '@notify/sdk';
import type { ReactNode } from 'react';
import { useRead } from '../../api/hooks.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ChannelsIcon } from '../../parts/icons.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../shell/page.tsx';
import { AccountCard } from './account-card.tsx';
import { ProviderCard } from './provider-card.tsx';
import { inOrder } from './provider-guides.ts';

/** The tenant's accounts by channel, and the providers for new accounts. */
export function ChannelsView(): ReactNode {
  const accounts = useRead('get /v1/channel-accounts', {}, { everyMs: 15_000 });
  const providers = useRead('get /v1/providers');
  return (
    <Page title="Channels" about="The accounts your messages are sent from.">
      <Stack gap="xl">
        <section aria-labelledby="accounts">
          <Title order={2} size="h3" id="accounts" mb="sm">
            Your accounts
          </Title>
          <Loaded query={accounts} what="your accounts" skeleton={<Skeletons count={4} height={92} />}>
            {(data) => <Accounts accounts={data} providers={providers.data ?? []} />}
          </Loaded>
        </section>
        <section aria-labelledby="providers">
          <Title order={2} size="h3" id="providers" mb="sm">
            Connect an account
          </Title>
          <Loaded query={providers} what="the providers" skeleton={<Skeletons count={6} height={190} />}>
            {(data) => <Providers providers={data} />}
          </Loaded>
        </section>
      </Stack>
    </Page>
  );
}

function Accounts({
  accounts,
  providers,
}: {
  readonly accounts: readonly ChannelAccount[];
  readonly providers: readonly Provider[];
}): ReactNode {
  const names = new Map(providers.map(({ id, name }) => [id, name]));
  if (accounts.length === 0) {
    return (
      <EmptyState title="No accounts yet" icon={<ChannelsIcon />}>
        You need an account to send messages. Choose a provider under “Connect an account”.
      </EmptyState>
    );
  }
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" component="ul" m={0} p={0}>
      {byChannel(accounts).map((account) => (
        <AccountCard key={account.id} account={account} providerName={names.get(account.provider) ?? ''} />
      ))}
    </SimpleGrid>
  );
}

const channels = ['whatsapp', 'telegram', 'sms'];

/** WhatsApp first, as everywhere. In each channel the default account is first and the sandbox last. */
function byChannel(accounts: readonly ChannelAccount[]): ChannelAccount[] {
  return accounts.toSorted((one, other) => {
    const order = channels.indexOf(one.channel) - channels.indexOf(other.channel);
    return order === 0 ? rankOf(one) - rankOf(other) : order;
  });
}

function rankOf({ isDefault, provider }: ChannelAccount): number {
  if (isDefault) return 0;
  return provider === 'sandbox' ? 2 : 1;
}

function Providers({ providers }: { readonly providers: readonly Provider[] }): ReactNode {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md" component="ul" m={0} p={0}>
      {inOrder(providers).map((provider) => (
        <ProviderCard key={provider.id} provider={provider} />
      ))}
    </SimpleGrid>
  );
}

function Skeletons({ count, height }: { readonly count: number; readonly height: number }): ReactNode {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} h={height} radius="lg" />
      ))}
    </SimpleGrid>
  );
}
