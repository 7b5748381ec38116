import { Badge } from '@mantine/core';
import type { Webhook } from '@notify/sdk';
import type { ReactNode } from 'react';
import { CheckIcon, ClockIcon, CrossIcon, PauseIcon, SendIcon, WarningIcon } from './icons.tsx';

/** The tone of a state: good, in progress, waiting, needs attention, failed, or inactive. */
export type Tone = 'good' | 'moving' | 'waiting' | 'attention' | 'bad' | 'idle';

const tones = {
  good: { color: 'teal', Icon: CheckIcon },
  moving: { color: 'ink', Icon: SendIcon },
  waiting: { color: 'gray', Icon: ClockIcon },
  attention: { color: 'orange', Icon: WarningIcon },
  bad: { color: 'red', Icon: CrossIcon },
  idle: { color: 'gray', Icon: PauseIcon },
} as const;

/** A state, shown by colour, icon and word. A word has the same tone everywhere. */
export function StatusBadge({
  tone,
  children,
}: {
  readonly tone: Tone;
  readonly children: ReactNode;
}): ReactNode {
  const { color, Icon } = tones[tone];
  return (
    <Badge color={color} flex="none" leftSection={<Icon size={12} />}>
      {children}
    </Badge>
  );
}

const messageTones: Readonly<Record<string, readonly [Tone, string]>> = {
  queued: ['waiting', 'Queued'],
  scheduled: ['waiting', 'Scheduled'],
  sent: ['moving', 'Sent'],
  delivered: ['good', 'Delivered'],
  read: ['good', 'Read'],
  failed: ['bad', 'Failed'],
  received: ['good', 'Received'],
};

/** The status of a message; `received` for one that a person wrote, `scheduled` for one that waits for its own time. One that was read shows that instead of `delivered`. */
export function MessageStatus({
  status,
  readAt = null,
}: {
  readonly status: string;
  readonly readAt?: string | null;
}): ReactNode {
  const [tone, word] = messageTones[readAt !== null && status === 'delivered' ? 'read' : status] ?? [
    'idle',
    status,
  ];
  return <StatusBadge tone={tone}>{word}</StatusBadge>;
}

const accountTones: Readonly<Record<string, readonly [Tone, string]>> = {
  connected: ['good', 'Connected'],
  connecting: ['moving', 'Connecting'],
  disconnected: ['attention', 'Disconnected'],
  'action-required': ['bad', 'Action required'],
};

/** The status of a channel account. */
export function AccountStatus({ status }: { readonly status: string }): ReactNode {
  const [tone, word] = accountTones[status] ?? ['idle', status];
  return <StatusBadge tone={tone}>{word}</StatusBadge>;
}

export const templateTones = {
  approved: ['good', 'Approved'],
  pending: ['waiting', 'Pending'],
  rejected: ['bad', 'Rejected'],
  paused: ['attention', 'Paused'],
  disabled: ['idle', 'Disabled'],
} as const satisfies Readonly<Record<string, readonly [Tone, string]>>;

/** The status of a template. Only an approved one may be sent. */
export function TemplateStatusBadge({ status }: { readonly status: keyof typeof templateTones }): ReactNode {
  const [tone, word] = templateTones[status];
  return <StatusBadge tone={tone}>{word}</StatusBadge>;
}

/**
 * The state of a webhook. With more facts than the state, it also shows whether Notify disabled the webhook for its
 * failures, or is retrying.
 */
export function WebhookStatus({
  webhook: { state, disabledReason = null, failureCount = 0, lastTriggeredAt },
}: {
  readonly webhook: {
    readonly state: Webhook['state'];
    /** Why Notify disabled it; null when a person did. */
    readonly disabledReason?: string | null;
    readonly failureCount?: number;
    readonly lastTriggeredAt?: string | null;
  };
}): ReactNode {
  if (state === 'disabled')
    return disabledReason === null ? (
      <StatusBadge tone="idle">Disabled</StatusBadge>
    ) : (
      <StatusBadge tone="bad">Disabled by Notify</StatusBadge>
    );
  if (state === 'failing') return <StatusBadge tone="bad">Failing</StatusBadge>;
  if (failureCount > 0) return <StatusBadge tone="attention">Retrying</StatusBadge>;
  if (lastTriggeredAt === null) return <StatusBadge tone="waiting">Not used yet</StatusBadge>;
  return <StatusBadge tone="good">Healthy</StatusBadge>;
}
