import { Badge, Group, Skeleton } from '@mantine/core';
import type { ChannelAccount, Provider } from '@notify/sdk';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { useRead } from '../../api/hooks.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { channelName } from '../../parts/channel-name.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/section.tsx';
import { Page } from '../../shell/page.tsx';
import { AccountActions } from './account-actions.tsx';
import { AccountBadge } from './account-badge.tsx';
import { AccountAlert } from './account-alert.tsx';
import { AccountFacts } from './account-facts.tsx';
import { CallbackPanel } from './callback-panel.tsx';
import classes from './channels.module.css';
import { LinkPanel } from './link/link-panel.tsx';
import { ConsentSection } from './consent/consent-section.tsx';
import { LoopGuardAlert } from './loop-guard-alert.tsx';
import { PairingSection } from './pairing/pairing-section.tsx';
import { SimulateForm } from '../conversations/simulate/simulate-form.tsx';
import { ChangeForm } from './change-form.tsx';
import { hasTemplates } from './templates/account-templates.ts';
import { QuietHoursSection } from './quiet-hours/quiet-hours-section.tsx';
import { TemplatesSection } from './templates/templates-section.tsx';
import { useAccountCheck, CheckResult } from './check-account.tsx';

/** How often an account is read again, in ms. An account that is connecting is read more often. */
const restingMs = 15_000;
const movingMs = 1_500;

/** One account: its state, advice and its settings. */
export function AccountView(): ReactNode {
  const { id = '' } = useParams();
  const providers = useRead('get /v1/providers');
  const account = useRead('get /v1/channel-accounts/{id}', { path: { id } }, { everyMs: restingMs });
  const skeleton = <Skeleton h={420} maw={720} radius="lg" />;
  return (
    <Loaded query={account} what="the account" notFound="account" skeleton={skeleton}>
      {(data) => (
        <Loaded query={providers} what="the account" skeleton={skeleton}>
          {(all) => <WithProvider account={data} provider={all.find((one) => one.id === data.provider)} />}
        </Loaded>
      )}
    </Loaded>
  );
}

/** Adds the provider of the account. An account of a newer version's provider is shown without its settings. */
function WithProvider({
  account,
  provider,
}: {
  readonly account: ChannelAccount;
  readonly provider: Provider | undefined;
}): ReactNode {
  const linking = provider?.capabilities.linking === true;
  // Reads the account again while its phone connects, because the link's stream does not report that.
  const moves = linking && account.status !== 'connected';
  useRead(
    'get /v1/channel-accounts/{id}',
    { path: { id: account.id } },
    { everyMs: moves ? movingMs : false },
  );
  const check = useAccountCheck(account);
  return (
    <Page
      title={account.name}
      about={`${channelName(account.channel)} · ${provider?.name ?? account.provider}`}
      back={<BackLink to="/channels">channels</BackLink>}
    >
      <div className={classes.accountPage}>
        <Group justify="space-between">
          <Group gap="xs">
            <AccountBadge account={account} wasRefused={check.result?.refused === true} />
            {account.isDefault && <Badge variant="default">Default for {channelName(account.channel)}</Badge>}
          </Group>
          <AccountActions account={account} linking={linking} check={check} />
        </Group>
        <CheckResult
          check={check}
          provider={{ id: account.provider, name: provider?.name ?? account.provider }}
        />
        <AccountAlert account={account} linking={linking} hidden={check.result?.ok === false} />
        <LoopGuardAlert account={account} />
        {linking && (
          <Section title="Phone">
            <LinkPanel key={account.id} account={account} />
          </Section>
        )}
        {account.provider === 'sandbox' && (
          <Section
            title="Simulate an inbound message"
            about="The sandbox acts as if a person wrote to this account. The message appears in Conversations."
          >
            <SimulateForm accounts={[account]} />
          </Section>
        )}
        {account.provider === 'telegram-bot' && <PairingSection account={account} />}
        {hasTemplates(provider) && <TemplatesSection account={account} />}
        <ConsentSection account={account} />
        {provider !== undefined && <QuietHoursSection account={account} provider={provider} />}
        {provider?.capabilities.callbacks === true && <CallbackPanel account={account} />}
        <AccountFacts account={account} />
        {provider !== undefined && (
          <Section title="Settings">
            <ChangeForm key={account.id} account={account} provider={provider} check={check} />
          </Section>
        )}
      </div>
    </Page>
  );
}
