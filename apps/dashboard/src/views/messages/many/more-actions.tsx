import { ActionIcon, Button, Menu } from '@mantine/core';
import type { MessageDetails } from '@notify/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { accountName } from '../../../parts/account-label.ts';
import { CrossIcon, DownloadIcon, MoreIcon, RefreshIcon } from '../../../parts/icons.tsx';
import { SelectionBar } from '../../../parts/list/selection-bar.tsx';
import type { Selection } from '../../../parts/list/use-selection.ts';
import { useSession } from '../../../session/session-context.ts';
import type { Filter } from '../list/filter.ts';
import { ManyDialog } from './many-dialog.tsx';
import {
  canCancelAll,
  cancelAllTask,
  cancelSelectedTask,
  canResendAll,
  exportTask,
  resendTask,
} from './tasks.ts';

/** Reads the list again after something was done to many of its messages. */
function useRefresh(): () => void {
  const client = useQueryClient();
  return () => {
    for (const queryKey of [['get /v1/messages'], ['get /v1/messages/{id}']])
      void client.invalidateQueries({ queryKey });
  };
}

/** What can be done with all messages that match the filter. */
export function MoreActions({ filter }: { readonly filter: Filter }): ReactNode {
  const [asks, setAsks] = useState<'export' | 'resend' | 'cancel' | null>(null);
  const { call } = useSession();
  const refresh = useRefresh();
  const { data: accounts = [] } = useRead('get /v1/channel-accounts');
  const nameOf = (id: string | null): string => {
    const account = accounts.find((one) => one.id === id);
    return account === undefined ? '' : accountName(account, accounts);
  };
  const close = (): void => {
    setAsks(null);
    refresh();
  };
  return (
    <>
      <Menu position="bottom-end" width={250}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More actions">
            <MoreIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>All messages that match the filter</Menu.Label>
          <Menu.Item leftSection={<DownloadIcon size={16} />} onClick={() => setAsks('export')}>
            Export as CSV…
          </Menu.Item>
          <Menu.Item
            leftSection={<RefreshIcon size={16} />}
            disabled={!canResendAll(filter)}
            onClick={() => setAsks('resend')}
          >
            Resend failed messages…
          </Menu.Item>
          <Menu.Item
            color="red"
            leftSection={<CrossIcon size={16} />}
            disabled={!canCancelAll(filter)}
            onClick={() => setAsks('cancel')}
          >
            Cancel waiting messages…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asks === 'export' && <ManyDialog many={exportTask(call, filter, nameOf)} onClose={close} />}
      {asks === 'resend' && <ManyDialog many={resendTask(call, filter, null)} onClose={close} />}
      {asks === 'cancel' && <ManyDialog many={cancelAllTask(call, filter)} onClose={close} />}
    </>
  );
}

/** What can be done with the selected messages. */
export function SelectedActions({
  items,
  filter,
  selection,
}: {
  readonly items: readonly MessageDetails[];
  readonly filter: Filter;
  readonly selection: Selection;
}): ReactNode {
  const [asks, setAsks] = useState<'resend' | 'cancel' | null>(null);
  const { call } = useSession();
  const refresh = useRefresh();
  const selected = items.filter(({ messageId }) => selection.ids.has(messageId));
  const close = (isDone: boolean): void => {
    setAsks(null);
    if (isDone) selection.replace([]);
    refresh();
  };
  return (
    <SelectionBar selection={selection}>
      <Button size="xs" variant="default" onClick={() => setAsks('resend')}>
        Resend…
      </Button>
      <Button size="xs" variant="default" onClick={() => setAsks('cancel')}>
        Cancel…
      </Button>
      {asks === 'resend' && <ManyDialog many={resendTask(call, filter, selected)} onClose={close} />}
      {asks === 'cancel' && <ManyDialog many={cancelSelectedTask(call, selected)} onClose={close} />}
    </SelectionBar>
  );
}
