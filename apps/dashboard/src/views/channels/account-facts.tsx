import type { ReactNode } from 'react';
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
        ['Made', <Time key="made" at={createdAt} />],
      ]}
    />
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
