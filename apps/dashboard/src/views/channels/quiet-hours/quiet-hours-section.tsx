import { Button, Group, Text } from '@mantine/core';
import type { ChannelAccount, Provider } from '@notify/sdk';
import { type ReactNode, useState } from 'react';
import { useChange } from '../../../api/hooks.ts';
import { ConfirmDialog } from '../../../parts/dialog/confirm-dialog.tsx';
import { Section } from '../../../parts/section.tsx';
import { fieldsOf } from '../settings/fields.ts';
import { accountReads, quietHours, quietHoursText } from './quiet-hours-fields.ts';
import { QuietHoursDialog } from './quiet-hours-dialog.tsx';

interface Props {
  readonly account: ChannelAccount;
  readonly provider: Provider;
}

/** On an account's page: when its messages wait. Nothing for a provider without quiet hours. */
export function QuietHoursSection(props: Props): ReactNode {
  const { account, provider } = props;
  const [dialog, setDialog] = useState<'change' | 'remove' | null>(null);
  if (!fieldsOf(provider.settings).some(({ name }) => name === quietHours)) return null;
  const close = (): void => setDialog(null);
  const text = quietHoursText(account.settings);
  return (
    <Section
      title="Quiet hours"
      about="Hours in which this account sends nothing. Messages wait and are sent when the hours end, except urgent ones, one-time codes and fallback groups."
    >
      <Group justify="space-between">
        <Text size="sm">{text ?? 'None: messages are sent at any time.'}</Text>
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={() => setDialog('change')}>
            {text === null ? 'Set quiet hours' : 'Change'}
          </Button>
          {text !== null && (
            <Button variant="subtle" color="gray" size="xs" onClick={() => setDialog('remove')}>
              Remove
            </Button>
          )}
        </Group>
      </Group>
      {dialog === 'change' && <QuietHoursDialog {...props} onClose={close} />}
      {dialog === 'remove' && <RemoveQuietHours account={account} onClose={close} />}
    </Section>
  );
}

function RemoveQuietHours({
  account: { id },
  onClose,
}: {
  readonly account: ChannelAccount;
  readonly onClose: () => void;
}): ReactNode {
  const change = useChange('patch /v1/channel-accounts/{id}', { refresh: accountReads });
  const remove = (): void =>
    change.mutate({ path: { id }, body: { settings: { [quietHours]: null } } }, { onSuccess: onClose });
  return (
    <ConfirmDialog
      opened
      title="Remove the quiet hours?"
      confirm="Remove"
      isBusy={change.isPending}
      error={change.error}
      onConfirm={remove}
      onClose={onClose}
    >
      <Text size="sm">
        From now on messages are sent at any time. Messages that are already waiting leave when the quiet
        hours would have ended.
      </Text>
    </ConfirmDialog>
  );
}
