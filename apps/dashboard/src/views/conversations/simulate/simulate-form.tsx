import { Button, Group, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import type { ChannelAccount } from '@notify/sdk';
import type { ReactNode } from 'react';
import { useChange } from '../../../api/hooks.ts';
import { accountLabel } from '../../../parts/account-label.ts';
import { DialogButtons } from '../../../parts/dialog/dialog-buttons.tsx';
import { Form } from '../../../parts/form/form.tsx';
import { useSubmit } from '../../../parts/form/use-submit.ts';
import { mediaTypes } from '../../messages/send/media-types.ts';
import { simulatedAt, simulatedBody, simulatedFaults, type SimulatedValues } from './values.ts';

/** Has a person who does not exist write to a sandbox account. */
export function SimulateForm({
  accounts,
  onDone,
}: {
  /** Sandbox accounts, at least one. */
  readonly accounts: readonly ChannelAccount[];
  /** In a dialog: closes it. */
  readonly onDone?: () => void;
}): ReactNode {
  const simulate = useChange('post /v1/channel-accounts/{id}/simulate-inbound', {
    refresh: ['get /v1/conversations', 'get /v1/conversations/{id}', 'get /v1/messages'],
  });
  const form = useForm<SimulatedValues>({
    initialValues: simulatedAt(accounts[0]!),
    validate: (values) => simulatedFaults(values),
  });
  const submission = useSubmit(form, async (values) => {
    await simulate.mutateAsync({ path: { id: values.accountId }, body: simulatedBody(values) });
    notifications.show({ message: 'The message has arrived.' });
    onDone?.();
  });
  const { kind } = form.values;
  const choose = (accountId: string): void => {
    const account = accounts.find(({ id }) => id === accountId)!;
    form.setValues({ ...simulatedAt(account), kind, text: form.values.text });
  };
  return (
    <Form
      submission={submission}
      fields={['from', 'text']}
      buttons={
        onDone === undefined ? (
          <Group>
            <Button type="submit" loading={submission.isBusy}>
              Simulate
            </Button>
          </Group>
        ) : (
          <DialogButtons submit="Simulate" isBusy={submission.isBusy} onCancel={onDone} />
        )
      }
    >
      {accounts.length > 1 && (
        <NativeSelect
          label="Account"
          data={accounts.map((one) => ({ value: one.id, label: accountLabel(one, accounts) }))}
          value={form.values.accountId}
          onChange={({ currentTarget: { value } }) => choose(value)}
        />
      )}
      <TextInput
        label="From"
        description="The phone number or chat ID of the person who writes."
        {...form.getInputProps('from')}
      />
      <NativeSelect
        label="Content"
        data={[{ value: 'text', label: 'Text' }, ...mediaTypes]}
        {...form.getInputProps('kind')}
      />
      {kind !== 'audio' && (
        <Textarea
          label={kind === 'text' ? 'Text' : 'Caption'}
          {...(kind === 'text' ? {} : { description: 'Optional' })}
          autosize
          minRows={2}
          maxRows={6}
          {...form.getInputProps('text')}
        />
      )}
    </Form>
  );
}
