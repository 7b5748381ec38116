import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import type { MessageHistory } from '@notify/sdk';
import type { ReactNode } from 'react';
import { useChange } from '../../api/hooks.ts';
import { DialogButtons } from '../../parts/dialog/dialog-buttons.tsx';
import { Form } from '../../parts/form/form.tsx';
import { FormDialog, useUnsaved } from '../../parts/dialog/form-dialog.tsx';
import { laterShortcuts, MomentInput } from '../../parts/form/moment-input.tsx';
import { inputMoment, readMoment } from '../../parts/time/moment-text.ts';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { sendAtFault } from './send/where-faults.ts';

interface Props {
  readonly message: MessageHistory;
  readonly onClose: () => void;
}

/** Asks for another time to send a message that waits. Mounted only while it is open. */
export function Reschedule({ message, onClose }: Props): ReactNode {
  return (
    <FormDialog title="Reschedule message" onClose={onClose}>
      {(cancel) => <RescheduleForm message={message} onClose={onClose} onCancel={cancel} />}
    </FormDialog>
  );
}

function RescheduleForm({
  message: { messageId, scheduledAt },
  onClose,
  onCancel,
}: Props & { readonly onCancel: () => void }): ReactNode {
  const change = useChange('patch /v1/messages/{id}', {
    refresh: ['get /v1/messages', 'get /v1/messages/{id}'],
  });
  const form = useForm({
    initialValues: { sendAt: scheduledAt === null ? '' : inputMoment(new Date(scheduledAt)) },
    validate: { sendAt: (typed) => sendAtFault(typed, Date.now()) },
  });
  useUnsaved(form.isDirty);
  const submission = useSubmit(form, async ({ sendAt }) => {
    const at = readMoment(sendAt)!.toISOString();
    await change.mutateAsync({ path: { id: messageId }, body: { sendAt: at } });
    notifications.show({ message: 'Message rescheduled.' });
    onClose();
  });
  return (
    <Form
      submission={submission}
      fields={['sendAt']}
      buttons={<DialogButtons submit="Reschedule" isBusy={submission.isBusy} onCancel={onCancel} />}
    >
      <MomentInput
        label="Send at"
        note="At most 30 days ahead."
        shortcuts={laterShortcuts}
        onPick={(value) => form.setFieldValue('sendAt', value)}
        {...form.getInputProps('sendAt')}
      />
    </Form>
  );
}
