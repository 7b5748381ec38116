import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useChange } from '../../../api/hooks.ts';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';

/** What is to become of a consent. */
export type Question = 'opted-out' | 'opted-in' | 'remove';

const refresh = ['get /v1/consent', 'get /v1/consent/{channelAccountId}/{recipient}'] as const;

const words: Readonly<Record<Question, { title: string; confirm: string; says: string }>> = {
  'opted-out': {
    title: 'Opt this recipient out?',
    confirm: 'Opt out',
    says: 'From now on, messages to the recipient from this account fail with “recipient-opted-out”. A message that is being sent may still arrive.',
  },
  'opted-in': {
    title: 'Opt this recipient in?',
    confirm: 'Opt in',
    says: 'Do this only if the recipient asked for messages again. A block at the provider stays: only the recipient can lift that.',
  },
  remove: {
    title: 'Remove this record?',
    confirm: 'Remove',
    says: 'Notify forgets whether the recipient opted out, so messages are sent again. The history stays, and so does a block at the provider.',
  },
};

/** Asks before a consent is changed or removed. Mounted only while it is open. */
export function ConsentQuestion({
  question,
  accountId,
  recipient,
  onClose,
}: {
  readonly question: Question;
  readonly accountId: string;
  readonly recipient: string;
  readonly onClose: () => void;
}): ReactNode {
  const put = useChange('put /v1/consent/{channelAccountId}/{recipient}', { refresh });
  const remove = useChange('delete /v1/consent/{channelAccountId}/{recipient}', { refresh });
  const path = { channelAccountId: accountId, recipient };
  const { title, confirm, says } = words[question];
  const change = (): void => {
    const done = { onSuccess: onClose };
    if (question === 'remove') remove.mutate({ path }, done);
    else put.mutate({ path, body: { status: question } }, done);
  };
  return (
    <ConfirmDialog
      opened
      title={title}
      confirm={confirm}
      isDangerous={question !== 'opted-in'}
      isBusy={put.isPending || remove.isPending}
      error={put.error ?? remove.error}
      onConfirm={change}
      onClose={onClose}
    >
      <Text size="sm" fw={550} mb={4}>
        {recipient}
      </Text>
      <Text size="sm">{says}</Text>
    </ConfirmDialog>
  );
}
