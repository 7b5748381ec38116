import { Anchor } from '@mantine/core';
import type { ChannelAccount } from '@notify/sdk';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Facts } from '../../parts/facts.tsx';
import { Id } from '../../parts/copy/id.tsx';
import { Time } from '../../parts/time/time.tsx';

/** The other facts about an account. */
export function AccountFacts({
  account: { id, lastConnectedAt, createdAt },
}: {
  readonly account: ChannelAccount;
}): ReactNode {
  return (
    <Facts
      facts={[
        ['Account ID', <Id key="id" id={id} what="account ID" />],
        ['Last connected', <Time key="seen" at={lastConnectedAt} since never="Never" />],
        ['Added', <Time key="added" at={createdAt} />],
        ['Messages', <ItsMessages key="messages" id={id} />],
        ['Conversations', <ItsConversations key="conversations" id={id} />],
      ]}
    />
  );
}

function ItsMessages({ id }: { readonly id: string }): ReactNode {
  return (
    <Anchor component={Link} to={`/messages?account=${id}`} inherit>
      View messages sent from this account
    </Anchor>
  );
}

function ItsConversations({ id }: { readonly id: string }): ReactNode {
  return (
    <Anchor component={Link} to={`/conversations?account=${id}`} inherit>
      View conversations with this account
    </Anchor>
  );
}
