import { Alert, Text } from '@mantine/core';
import type { ChannelAccount } from '@notify/sdk';
import type { ReactNode } from 'react';
import { ClockIcon, InfoIcon, WarningIcon } from '../../parts/icons.tsx';
import { type Advice, adviceOn } from './account-advice.ts';
import classes from './channels.module.css';

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
  return <AdviceAlert advice={hidden ? null : adviceOn(account, linking)} />;
}

/** A state and what to do about it, with a link or a button. Empty without advice. */
export function AdviceAlert({
  advice,
  action,
}: {
  readonly advice: Advice | null;
  readonly action?: ReactNode;
}): ReactNode {
  if (advice === null) return null;
  const { color, Icon } = looks[advice.tone];
  return (
    <Alert color={color} icon={<Icon />} title={advice.title}>
      {advice.detail !== null && (
        <Text size="sm" mb={4} className={classes.detail}>
          {advice.detail}
        </Text>
      )}
      <Text size="sm">
        {advice.toDo} {action}
      </Text>
    </Alert>
  );
}
