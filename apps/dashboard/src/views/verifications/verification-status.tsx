import type { CodeVerification } from '@notify/sdk';
import type { ReactNode } from 'react';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';

type Status = CodeVerification['status'];

/** The status of a verification as it is shown. */
export const verificationWords: Readonly<Record<Status, string>> = {
  pending: 'Pending',
  approved: 'Approved',
  failed: 'Failed',
  expired: 'Expired',
  canceled: 'Canceled',
};

const tones: Readonly<Record<Status, Tone>> = {
  pending: 'waiting',
  approved: 'good',
  failed: 'bad',
  expired: 'attention',
  canceled: 'idle',
};

/** The status of a verification. */
export function VerificationStatus({ status }: { readonly status: Status }): ReactNode {
  return <StatusBadge tone={tones[status]}>{verificationWords[status]}</StatusBadge>;
}
