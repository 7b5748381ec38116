import { List, Text } from '@mantine/core';
import type { ChannelAccount } from '@notify/sdk';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { useChange, useRead } from '../../api/hooks.ts';
import { keyOf } from '../../api/query-key.ts';
import { ConfirmDialog } from '../../parts/dialog/confirm-dialog.tsx';
import { gone } from '../../parts/dialog/unsaved-guard.tsx';
import { heirWords } from './account-advice.ts';

/** Asks before an account is removed. Says what happens to its messages, and which account becomes the default. */
export function RemoveAccount({
  account,
  linking,
  opened,
  onClose,
}: {
  readonly account: ChannelAccount;
  readonly linking: boolean;
  readonly opened: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const remove = useChange('delete /v1/channel-accounts/{id}', { refresh: ['get /v1/channel-accounts'] });
  const navigate = useNavigate();
  const client = useQueryClient();
  const confirm = async (): Promise<void> => {
    const isGone = await remove.mutateAsync({ path: { id: account.id } }).then(
      () => true,
      () => false,
    );
    if (!isGone) return;
    await navigate('/channels', { state: gone });
    client.removeQueries({ queryKey: keyOf('get /v1/channel-accounts/{id}', { path: { id: account.id } }) });
  };
  return (
    <ConfirmDialog
      opened={opened}
      title={`Remove ${account.name}?`}
      confirm="Remove account"
      isBusy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() => void confirm()}
    >
      <List size="sm" spacing={6}>
        <List.Item>No more messages are sent from this account.</List.Item>
        {opened && <Waiting id={account.id} />}
        {linking && <List.Item>The phone is unlinked.</List.Item>}
        {opened && account.isDefault && <Heir account={account} />}
        <List.Item>Sent messages stay in your list.</List.Item>
      </List>
      <Text size="sm" mt="sm">
        You cannot get the removed account back. You can connect a new one with the same settings.
      </Text>
    </ConfirmDialog>
  );
}

const countedAtMost = 100;

/** Says what happens to the waiting messages, and how many there are. */
function Waiting({ id }: { readonly id: string }): ReactNode {
  const query = { channelAccountId: id, status: 'queued', limit: countedAtMost } as const;
  const { data } = useRead('get /v1/messages', { query });
  return (
    <List.Item>
      {waitingWords(
        data === undefined ? null : data.data.length,
        data !== undefined && data.nextCursor !== null,
      )}{' '}
      fail soon after with the code <code>channel-account-removed</code>.
    </List.Item>
  );
}

function waitingWords(count: number | null, isMore: boolean): string {
  if (count === null || count === 0) return 'Pending messages';
  if (count === 1) return 'The pending message will';
  return `The ${isMore ? 'more than ' : ''}${count} pending messages`;
}

function Heir({ account }: { readonly account: ChannelAccount }): ReactNode {
  const { data } = useRead('get /v1/channel-accounts');
  if (data === undefined) return null;
  return <List.Item>{heirWords(account, data)}</List.Item>;
}
