import { NativeSelect, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import type { Webhook } from '@notify/sdk';
import type { ReactNode } from 'react';
import { useChange } from '../../../api/hooks.ts';
import { Dialog } from '../../../parts/dialog/dialog.tsx';
import { DialogButtons } from '../../../parts/dialog/dialog-buttons.tsx';
import { Form } from '../../../parts/form/form.tsx';
import { MomentInput } from '../../../parts/form/moment-input.tsx';
import { inputMoment, readMoment } from '../../../parts/time/moment-text.ts';
import { useSubmit } from '../../../parts/form/use-submit.ts';
import { replayChoices, replayWords } from './replay-span.ts';

const byTime = 'since';
const options = [
  ...replayChoices.map(({ label, ms }) => ({ label, value: String(ms) })),
  { label: 'Custom', value: byTime },
];

/** Asks for the start of a replay of missed events, and starts it. Mounted only while it is open. */
export function ReplayDialog({
  webhook: { id, state },
  onClose,
}: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}): ReactNode {
  const replay = useChange('post /v1/webhooks/{id}/replay', {
    refresh: ['get /v1/webhooks/{id}', 'get /v1/webhooks/{id}/deliveries'],
  });
  const form = useReplayForm();
  const { span } = form.values;
  const submission = useSubmit(form, async (values) => {
    const begun = await replay.mutateAsync({
      path: { id },
      body: { since: instantOf(values).toISOString() },
    });
    notifications.show({ message: replayWords(begun) });
    onClose();
  });
  return (
    <Dialog onClose={onClose} title="Replay missed events">
      <Form
        submission={submission}
        fields={span === byTime ? ['since'] : []}
        buttons={<DialogButtons submit="Replay" isBusy={submission.isBusy} onCancel={onClose} />}
      >
        <Text size="sm">
          Notify posts all events of this webhook since the chosen time that your endpoint has not received,
          oldest first. Events from while the webhook was disabled are included.
        </Text>
        <NativeSelect label="Replay from" data-autofocus data={options} {...form.getInputProps('span')} />
        {span === byTime && <MomentInput label="Since" {...form.getInputProps('since')} />}
        {state === 'failing' && (
          <Text size="sm" c="dimmed">
            This webhook is failing. The replay starts when your endpoint responds again.
          </Text>
        )}
      </Form>
    </Dialog>
  );
}

/** The last day is preselected. */
function useReplayForm() {
  return useForm({
    mode: 'controlled',
    initialValues: {
      span: String(replayChoices[1].ms),
      since: inputMoment(new Date(Date.now() - replayChoices[1].ms)),
    },
    validate: {
      since: (since, { span }) =>
        span === byTime && readMoment(since) === null ? 'Enter a date and a time.' : null,
    },
  });
}

function instantOf({ span, since }: { readonly span: string; readonly since: string }): Date {
  const chosen = span === byTime ? readMoment(since) : null;
  return chosen ?? new Date(Date.now() - Number(span));
}
