import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { plainPhone } from '@notify/core';
import type { ChannelAccount } from '@notify/sdk';
import type { ReactNode } from 'react';
import { useChange } from '../../../api/hooks.ts';
import { DialogButtons } from '../../../parts/dialog/dialog-buttons.tsx';
import { Form } from '../../../parts/form/form.tsx';
import { FormDialog, useUnsaved } from '../../../parts/dialog/form-dialog.tsx';
import { useSubmit } from '../../../parts/form/use-submit.ts';
import { consentReads, noteFault } from './consent-change.ts';

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

type Fields = { recipient: string; status: 'opted-out' | 'opted-in'; note: string };

function AddForm({ account, onClose, onCancel }: Props & { readonly onCancel: () => void }): ReactNode {
  const put = useChange('put /v1/consent/{channelAccountId}/{recipient}', {
    refresh: consentReads,
  });
  const form = useForm<Fields>({
    initialValues: { recipient: '', status: 'opted-out', note: '' },
    validate: {
      recipient: (typed) => (typed.trim() === '' ? 'Enter a recipient.' : null),
      // An opt-out needs no proof.
      note: (note, { status }) => (status === 'opted-out' && note.trim() === '' ? null : noteFault(note)),
    },
  });
  useUnsaved(form.isDirty);
  const submission = useSubmit(form, async ({ recipient, status, ...typed }) => {
    const path = { channelAccountId: account.id, recipient: plainPhone(recipient) };
    const note = typed.note.trim();
    await put.mutateAsync({ path, body: { status, ...(note === '' ? {} : { note }) } });
    onClose();
  });
  const { status } = form.values;
  return (
    <Form
      submission={submission}
      fields={['recipient', 'status', 'note']}
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
      <Textarea
        label={status === 'opted-in' ? 'How did they ask?' : 'Note'}
        description={
          status === 'opted-in'
            ? 'Your proof of consent. It is kept in the history.'
            : 'Optional. It is kept in the history.'
        }
        placeholder="By telephone on 3 March, ticket 4711"
        required={status === 'opted-in'}
        autosize
        minRows={2}
        maxRows={6}
        {...form.getInputProps('note')}
      />
    </Form>
  );
}
