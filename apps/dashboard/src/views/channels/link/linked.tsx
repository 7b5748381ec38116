import { Button, Group, Stack, Text } from '@mantine/core';
import type { AccountLink, ChannelAccount } from '@notify/sdk';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { ConfirmDialog } from '../../../parts/dialog/confirm-dialog.tsx';
import { Care } from './care.tsx';
import { useLinking } from './use-linking.ts';
import classes from './link.module.css';

/** Shown when a phone is linked. */
export function Linked({
  account,
  phone,
  care,
}: {
  readonly account: ChannelAccount;
  readonly phone: string;
  readonly care: AccountLink['care'];
}): ReactNode {
  const { end, isEnding } = useLinking(account.id);
  const [asks, setAsks] = useState(false);
  const isConnected = account.status === 'connected';
  return (
    <Stack gap="md">
      <Group gap="sm" justify="space-between">
        <Group gap="xs">
          <span className={isConnected ? classes.dotOn : classes.dotOff} aria-hidden />
          <Text fw={600}>{isConnected ? `Connected ${phone}` : `Linked to ${phone}`}</Text>
        </Group>
        <Button variant="default" onClick={() => setAsks(true)}>
          Unlink
        </Button>
      </Group>
      {care !== null && <Care care={care} />}
      <ConfirmDialog
        opened={asks}
        title={`Unlink ${phone}?`}
        confirm="Unlink"
        isBusy={isEnding}
        onClose={() => setAsks(false)}
        onConfirm={() => {
          end();
          setAsks(false);
        }}
      >
        Logs the device out and deletes its keys here. Pending messages keep waiting until they expire. To
        send them, link a phone again.
      </ConfirmDialog>
    </Stack>
  );
}
