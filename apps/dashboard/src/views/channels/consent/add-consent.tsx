import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { plainPhone } from '@notify/core';
import type { ReactNode } from 'react';
import { useChange } from '../../../api/hooks.ts';
import type { ChannelAccount } from '../../../api/schema.ts';
import { DialogButtons } from '../../../parts/dialog-buttons.tsx';
import { Form } from '../../../parts/form.tsx';
import { FormDialog, useUnsaved } from '../../../parts/form-dialog.tsx';
import { useSubmit } from '../../../parts/use-submit.ts';

interface Props {
  readonly account: ChannelAccount;
  readonly onClose: () => void;
}

/** Asks for a recipient, and records what was learned elsewhere, such as on the phone. Mounted only while it is open. */
export function AddConsent(props: Props): ReactNode {
  return (
    <FormDialog title="Record consent" onClose={props.onClose}>
      {(cancel) => <AddForm {...props} onCancel={cancel} />}
    </FormDialog>
  );
}

type Fields = { recipient: string; status: 'opted-out' | 'opted-in' };

function AddForm({ account, onClose, onCancel }: Props & { readonly onCancel: () => void }): ReactNode {
  const put = useChange('put /v1/consent/{channelAccountId}/{recipient}', {
    refresh: ['get /v1/consent', 'get /v1/consent/{channelAccountId}/{recipient}'],
  });
  const form = useForm<Fields>({
    initialValues: { recipient: '', status: 'opted-out' },
    validate: { recipient: (typed) => (typed.trim() === '' ? 'Enter a recipient.' : null) },
  });
  useUnsaved(form.isDirty);
  const submission = useSubmit(form, async ({ recipient, status }) => {
    const path = { channelAccountId: account.id, recipient: plainPhone(recipient) };
    await put.mutateAsync({ path, body: { status } });
    onClose();
  });
  return (
    <Form
      submission={submission}
      fields={['recipient', 'status']}
      buttons={<DialogButtons submit="Record" isBusy={submission.isBusy} onCancel={onCancel} />}
    >
      <TextInput
        label="Recipient"
        description={
          account.channel === 'telegram' ? 'A chat ID.' : 'A phone number with + and country code.'
        }
        data-autofocus
        {...form.getInputProps('recipient')}
      />
      <NativeSelect
        label="Status"
        data={[
          { value: 'opted-out', label: 'Opted out' },
          { value: 'opted-in', label: 'Opted in' },
        ]}
        {...form.getInputProps('status')}
      />
    </Form>
  );
}
