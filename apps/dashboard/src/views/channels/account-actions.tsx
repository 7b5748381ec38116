import { Button, Group, Text } from '@mantine/core';
import type { ChannelAccount } from '@notify/sdk';
import { type ReactNode, useState } from 'react';
import { useChange } from '../../api/hooks.ts';
import { RefreshIcon, StarIcon, TrashIcon } from '../../parts/icons.tsx';
import { RemoveAccount } from './remove-account.tsx';
import type { AccountCheck } from './check-account.tsx';

const refresh = ['get /v1/channel-accounts', 'get /v1/channel-accounts/{id}'] as const;

/** The immediate actions of an account. */
export function AccountActions({
  account,
  linking,
  check,
}: {
  readonly account: ChannelAccount;
  readonly linking: boolean;
  readonly check: AccountCheck;
}): ReactNode {
  const [asks, setAsks] = useState(false);
  const change = useChange('patch /v1/channel-accounts/{id}', { refresh });
  const makeDefault = (): void => change.mutate({ path: { id: account.id }, body: { isDefault: true } });
  return (
    <Group gap="xs">
      {!linking && (
        <Button variant="default" leftSection={<RefreshIcon />} loading={check.isAsking} onClick={check.run}>
          Verify
        </Button>
      )}
      {!account.isDefault && (
        <Button variant="default" leftSection={<StarIcon />} loading={change.isPending} onClick={makeDefault}>
          Set as default
        </Button>
      )}
      <Button variant="default" leftSection={<TrashIcon />} onClick={() => setAsks(true)}>
        Remove
      </Button>
      {change.error !== null && (
        <Text c="var(--mantine-color-error)" size="sm" role="alert">
          {change.error.message}
        </Text>
      )}
      <RemoveAccount account={account} linking={linking} opened={asks} onClose={() => setAsks(false)} />
    </Group>
  );
}
