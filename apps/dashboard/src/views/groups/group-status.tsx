import type { Group } from '@notify/sdk';
import type { ReactNode } from 'react';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';

type Status = Group['status'];

/** The status of a group as it is shown. */
export const groupWords: Readonly<Record<Status, string>> = {
  pending: 'Under way',
  sent: 'Sent',
  delivered: 'Delivered',
  failed: 'Failed',
};

const tones: Readonly<Record<Status, Tone>> = {
  pending: 'waiting',
  sent: 'moving',
  delivered: 'good',
  failed: 'bad',
};

/** The status of a group. */
export function GroupStatus({ status }: { readonly status: Status }): ReactNode {
  return <StatusBadge tone={tones[status]}>{groupWords[status]}</StatusBadge>;
}
