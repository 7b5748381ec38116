import type { ChannelAccount } from '@notify/sdk';
import type { ReactNode } from 'react';
import { AccountStatus, StatusBadge } from '../../parts/status-badge.tsx';

/** The status of an account, in the word of the API, except for settings that the provider refused just now. */
export function AccountBadge({
  account: { status },
  wasRefused = false,
}: {
  readonly account: Pick<ChannelAccount, 'status'>;
  readonly wasRefused?: boolean;
}): ReactNode {
  if (wasRefused) return <StatusBadge tone="bad">Rejected</StatusBadge>;
  return <AccountStatus status={status} />;
}
