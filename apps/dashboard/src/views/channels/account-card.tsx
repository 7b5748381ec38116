import { Badge, Card, Text } from '@mantine/core';
import type { ChannelAccount } from '@notify/sdk';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { channelName } from '../../parts/channel-name.ts';
import { ChannelIcon } from '../../parts/icons.tsx';
import { AccountBadge } from './account-badge.tsx';
import classes from './channels.module.css';
import { networkTrouble } from './network-trouble.ts';

/** An account in the list. The whole card links to its page. */
export function AccountCard({
  account,
  providerName,
}: {
  readonly account: ChannelAccount;
  readonly providerName: string;
}): ReactNode {
  const { id, channel, name, isDefault, statusDetail, provider } = account;
  return (
    <Card component="li" className={classes.account}>
      <div className={classes.head}>
        <div className={classes.names}>
          <Text size="xs" c="dimmed" className={classes.kind}>
            <ChannelIcon channel={channel} size={14} /> {channelName(channel)} · {providerName}
          </Text>
          <Link to={`/channels/${id}`} className={classes.cover}>
            {name}
          </Link>
        </div>
        <div className={classes.badges}>
          {isDefault && (
            <Badge variant="default" radius="sm" tt="none" fw={500}>
              Default
            </Badge>
          )}
          <AccountBadge account={account} />
        </div>
      </div>
      {statusDetail !== null && (
        <Text size="sm" mt="xs" lineClamp={2}>
          {networkTrouble(statusDetail, provider)?.what ?? statusDetail}
        </Text>
      )}
    </Card>
  );
}
