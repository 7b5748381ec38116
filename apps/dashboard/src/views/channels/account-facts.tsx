import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ChannelAccount } from '../../api/schema.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Time } from '../../parts/time.tsx';
import classes from './channels.module.css';

/** What else there is to know of an account. */
export function AccountFacts({
  account: { id, lastConnectedAt, createdAt },
}: {
  readonly account: ChannelAccount;
}): ReactNode {
  return (
    <Facts
      facts={[
        ['Id, for channelAccountId', <AccountId key="id" id={id} />],
        ['Last seen working', <Time key="seen" at={lastConnectedAt} since never="Not yet" />],
        ['Added', <Time key="added" at={createdAt} />],
        ['Messages', <ItsMessages key="messages" id={id} />],
      ]}
    />
  );
}

function ItsMessages({ id }: { readonly id: string }): ReactNode {
  return (
    <Anchor component={Link} to={`/messages?account=${id}`} inherit>
      See what was sent from it
    </Anchor>
  );
}

function AccountId({ id }: { readonly id: string }): ReactNode {
  return (
    <span className={classes.id}>
      <code>{id}</code>
      <CopyButton text={id} label="Copy the account id" />
    </span>
  );
}
