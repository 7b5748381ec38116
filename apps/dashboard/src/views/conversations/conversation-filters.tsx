import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRead } from '../../api/hooks.ts';
import { accountLabel } from '../../parts/account-label.ts';
import { channelName } from '../../parts/channel-name.ts';
import { channels } from '../messages/filter.ts';
import classes from './conversations.module.css';
import type { ConversationFilter } from './filter.ts';

/** The filters of the list: by channel and account. */
export function ConversationFilters({
  filter: { channel, account },
  onChange,
}: {
  readonly filter: ConversationFilter;
  readonly onChange: (filter: ConversationFilter) => void;
}): ReactNode {
  const { data = [] } = useRead('get /v1/channel-accounts');
  const shown = data.filter((one) => channel === null || one.channel === channel);
  const isKnown = account === null || shown.some(({ id }) => id === account);
  return (
    <div className={classes.filters} role="search" aria-label="Conversations">
      <NativeSelect
        aria-label="Channel"
        value={channel ?? ''}
        data={[
          { value: '', label: 'All channels' },
          ...channels.map((one) => ({ value: one, label: channelName(one) })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ channel: channels.find((one) => one === value) ?? null, account: null })
        }
      />
      <NativeSelect
        aria-label="Account"
        value={account ?? ''}
        data={[
          { value: '', label: 'All accounts' },
          ...shown.map((one) => ({ value: one.id, label: accountLabel(one, data) })),
          ...(isKnown ? [] : [{ value: account, label: 'Removed account' }]),
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ channel, account: value === '' ? null : value })
        }
      />
    </div>
  );
}
