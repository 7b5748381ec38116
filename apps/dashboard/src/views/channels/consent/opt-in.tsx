import { Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { useChange } from '../../../api/hooks.ts';
import { DialogButtons } from '../../../parts/dialog/dialog-buttons.tsx';
import { Form } from '../../../parts/form/form.tsx';
import { FormDialog, useUnsaved } from '../../../parts/dialog/form-dialog.tsx';
import { useSubmit } from '../../../parts/form/use-submit.ts';
import { consentReads, noteFault } from './consent-change.ts';

interface Props {
  readonly accountId: string;
  readonly recipient: string;
  /** How the recipient is called on the page. */
  readonly name: string;
  readonly onClose: () => void;
}

/** Asks how a recipient asked for messages again, and opts them in. Mounted only while it is open. */
export function OptIn(props: Props): ReactNode {
  return (
    <FormDialog title={`Opt ${props.name} in again?`} onClose={props.onClose}>
      {(cancel) => <OptInForm {...props} onCancel={cancel} />}
    </FormDialog>
  );
}

function OptInForm({
  accountId,
  recipient,
  onClose,
  onCancel,
}: Props & { readonly onCancel: () => void }): ReactNode {
  const put = useChange('put /v1/consent/{channelAccountId}/{recipient}', { refresh: consentReads });
  const form = useForm({ initialValues: { note: '' }, validate: { note: noteFault } });
  useUnsaved(form.isDirty);
  const submission = useSubmit(form, async ({ note }) => {
    const body = { status: 'opted-in', note: note.trim() } as const;
    await put.mutateAsync({ path: { channelAccountId: accountId, recipient }, body });
    onClose();
  });
  return (
    <Form
      submission={submission}
      fields={['note']}
      buttons={<DialogButtons submit="Opt in" isBusy={submission.isBusy} onCancel={onCancel} />}
    >
      <Text size="sm">
        Do this only if this person asked for messages again. If the provider blocks them too, only they can
        lift that block.
      </Text>
      <Textarea
        label="How did they ask?"
        description="Your proof of consent. It is kept in the history."
        placeholder="By telephone on 3 March, ticket 4711"
        required
        autosize
        minRows={2}
        maxRows={6}
        data-autofocus
        {...form.getInputProps('note')}
      />
    </Form>
  );
}
