import type { ReactNode } from 'react';
import type { ChannelAccount } from '../../api/schema.ts';
import { AccountStatus, StatusBadge } from '../../parts/status-badge.tsx';

/** The status of an account, except for an account that is unused and unverified, or was refused just now. */
export function AccountBadge({
  account: { provider, status, lastConnectedAt },
  wasRefused = false,
}: {
  readonly account: Pick<ChannelAccount, 'provider' | 'status' | 'lastConnectedAt'>;
  readonly wasRefused?: boolean;
}): ReactNode {
  if (wasRefused) return <StatusBadge tone="bad">Rejected</StatusBadge>;
  const isUntried = status === 'connected' && lastConnectedAt === null && provider !== 'sandbox';
  if (isUntried) return <StatusBadge tone="waiting">Not verified</StatusBadge>;
  return <AccountStatus status={status} />;
}
