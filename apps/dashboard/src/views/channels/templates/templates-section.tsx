import { Anchor, Skeleton, Stack, Text } from '@mantine/core';
import type { ChannelAccount } from '@notify/sdk';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Loaded } from '../../../parts/loaded.tsx';
import { Section } from '../../../parts/section.tsx';
import { amount } from '../../../parts/time/time-text.ts';
import { Time, useNow } from '../../../parts/time/time.tsx';
import { AdviceAlert } from '../account-alert.tsx';
import { type AccountTemplates, useTemplates } from './account-templates.ts';
import { adviceOnSync } from './sync-advice.ts';

/** On an account's page: how many templates it has, whether they are up to date, and the way to them. */
export function TemplatesSection({
  account,
}: {
  readonly account: Pick<ChannelAccount, 'id' | 'provider' | 'settings'>;
}): ReactNode {
  const templates = useTemplates(account.id);
  return (
    <Section
      title="Templates"
      actions={
        <Anchor component={Link} to={`/channels/${account.id}/templates`} size="sm">
          View templates
        </Anchor>
      }
    >
      <Loaded query={templates} what="the templates" skeleton={<Skeleton h={22} w={280} />}>
        {(list) => <InShort list={list} account={account} />}
      </Loaded>
    </Section>
  );
}

function InShort({
  list,
  account,
}: {
  readonly list: AccountTemplates;
  readonly account: Pick<ChannelAccount, 'provider' | 'settings'>;
}): ReactNode {
  const now = useNow();
  return (
    <Stack gap="sm">
      <Text size="sm" component="div">
        {countOf(list.templates)} · Last synced: <Time at={list.sync.syncedAt} since never="never" />
      </Text>
      <AdviceAlert advice={adviceOnSync(list.sync, account, now)} />
    </Stack>
  );
}

function countOf(templates: AccountTemplates['templates']): string {
  const approved = templates.filter(({ status }) => status === 'approved').length;
  if (templates.length === 0) return 'No templates';
  const all = templates.length === 1 ? '1 template' : `${amount(templates.length)} templates`;
  return `${all}, ${approved === templates.length ? 'all' : amount(approved)} approved`;
}
