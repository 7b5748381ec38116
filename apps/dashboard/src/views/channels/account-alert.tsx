import { Alert, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ChannelAccount } from '../../api/schema.ts';
import { ClockIcon, InfoIcon, WarningIcon } from '../../parts/icons.tsx';
import { adviceOn } from './account-advice.ts';

const looks = {
  problem: { color: 'red', Icon: WarningIcon },
  waiting: { color: 'yellow', Icon: ClockIcon },
  hint: { color: 'gray', Icon: InfoIcon },
} as const;

/**
 * Explains an account's state and gives advice. Empty if the account works, or if `hidden`, because newer information
 * replaces it.
 */
export function AccountAlert({
  account,
  linking,
  hidden,
}: {
  readonly account: ChannelAccount;
  readonly linking: boolean;
  readonly hidden: boolean;
}): ReactNode {
  const advice = hidden ? null : adviceOn(account, linking);
  if (advice === null) return null;
  const { color, Icon } = looks[advice.tone];
  return (
    <Alert color={color} icon={<Icon />} title={advice.title}>
      {advice.detail !== null && (
        <Text size="sm" mb={4}>
          {advice.detail}
        </Text>
      )}
      <Text size="sm">{advice.toDo}</Text>
    </Alert>
  );
}
