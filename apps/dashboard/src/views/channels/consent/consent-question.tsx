import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useChange } from '../../../api/hooks.ts';
import { ConfirmDialog } from '../../../parts/dialog/confirm-dialog.tsx';
import { consentReads } from './consent-change.ts';
import { OptIn } from './opt-in.tsx';

/** What is to become of a consent. */
export type Question = 'opted-out' | 'opted-in' | 'remove';

const words: Readonly<
  Record<Exclude<Question, 'opted-in'>, { title: string; confirm: string; says: string }>
> = {
  'opted-out': {
    title: 'Opt this recipient out?',
    confirm: 'Opt out',
    says: 'From now on, messages from this account to this recipient fail with “recipient-opted-out”. A message that is being sent right now may still arrive.',
  },
  remove: {
    title: 'Remove this record?',
    confirm: 'Remove',
    says: 'Notify no longer knows whether this recipient opted out or in, so it sends them messages. The history stays. If the provider blocks them too, that block stays.',
  },
};

interface Props {
  readonly accountId: string;
  readonly recipient: string;
  readonly onClose: () => void;
}

/** Asks before a consent is changed or removed. Mounted only while it is open. */
export function ConsentQuestion({ question, ...props }: Props & { readonly question: Question }): ReactNode {
  if (question === 'opted-in') return <OptIn {...props} name={props.recipient} />;
  return <Confirmation {...props} question={question} />;
}

function Confirmation({
  question,
  accountId,
  recipient,
  onClose,
}: Props & { readonly question: keyof typeof words }): ReactNode {
  const put = useChange('put /v1/consent/{channelAccountId}/{recipient}', { refresh: consentReads });
  const remove = useChange('delete /v1/consent/{channelAccountId}/{recipient}', { refresh: consentReads });
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
