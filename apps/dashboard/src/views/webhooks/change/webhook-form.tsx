import { Checkbox, type CheckboxGroupProps, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Webhook } from '@notify/sdk';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { ConfirmDialog } from '../../../parts/dialog/confirm-dialog.tsx';
import { DialogButtons } from '../../../parts/dialog/dialog-buttons.tsx';
import { atGroups } from '../../../parts/form/at-groups.ts';
import { Form } from '../../../parts/form/form.tsx';
import { useUnsaved } from '../../../parts/dialog/form-dialog.tsx';
import { useSubmit } from '../../../parts/form/use-submit.ts';
import { groupEvents, inboundEvents, messageEvents, verificationEvents } from '../event-kinds.ts';
import { FilterInputs } from './filter-inputs.tsx';
import { PackingInputs } from './packing-inputs.tsx';
import { twinOf } from './twin.ts';
import type { WebhookFields } from './webhook-fields.ts';

/** The form of a webhook, new or changed. Asks before a second webhook posts to the same URL. */
export function WebhookForm({
  id,
  initial,
  submit,
  send,
  onCancel,
}: {
  /** Null for a new one. */
  readonly id: string | null;
  readonly initial: WebhookFields;
  /** The label of the submit button. */
  readonly submit: string;
  readonly send: (fields: WebhookFields) => Promise<unknown>;
  readonly onCancel: () => void;
}): ReactNode {
  const form = useForm<WebhookFields>({
    mode: 'uncontrolled',
    initialValues: initial,
    validate: {
      url: (url) => (url.trim() === '' ? 'Enter the URL of your endpoint.' : null),
      events: (events) => (events.length === 0 ? 'Choose at least one event.' : null),
      delivery: {
        maxEvents: (value, { delivery }) =>
          delivery.mode === 'batch' && value === '' ? 'Enter a number from 1 to 500.' : null,
        maxWaitMs: (value, { delivery }) =>
          delivery.mode === 'batch' && value === '' ? 'Enter a number from 0 to 60,000.' : null,
      },
    },
  });
  useUnsaved(form.isDirty);
  const { data: webhooks = [] } = useRead('get /v1/webhooks');
  const [asked, setAsked] = useState<{ readonly fields: WebhookFields; readonly twin: Webhook } | null>(null);
  const sendAtGroups = async (fields: WebhookFields): Promise<void> => {
    try {
      await send(fields);
    } catch (failure) {
      throw atGroups(failure);
    }
  };
  const submission = useSubmit(form, async ({ url, ...rest }) => {
    const fields = { url: url.trim(), ...rest };
    const twin = fields.url === initial.url ? null : twinOf(fields.url, id, webhooks);
    if (twin === null) await sendAtGroups(fields);
    else setAsked({ fields, twin });
  });
  return (
    <>
      <Form
        submission={submission}
        fields={[
          'url',
          'description',
          'events',
          'channels',
          'channelAccountIds',
          'tags',
          'delivery.mode',
          'delivery.maxEvents',
          'delivery.maxWaitMs',
        ]}
        buttons={<DialogButtons submit={submit} isBusy={submission.isBusy} onCancel={onCancel} />}
      >
        <TextInput
          key={form.key('url')}
          label="URL"
          description="An https endpoint that accepts POST requests with a JSON body."
          placeholder="https://example.com/hooks/messages"
          inputMode="url"
          maxLength={2_048}
          data-autofocus
          {...form.getInputProps('url')}
        />
        <TextInput
          key={form.key('description')}
          label="Description"
          description="Optional. The name of this webhook in the dashboard."
          maxLength={500}
          spellCheck
          {...form.getInputProps('description')}
        />
        <EventChoice key={form.key('events')} {...form.getInputProps('events')} />
        <FilterInputs form={form} chosen={initial.channelAccountIds} />
        <PackingInputs form={form} />
      </Form>
      {asked !== null && (
        <TwinQuestion
          twin={asked.twin}
          submit={submit}
          send={() => send(asked.fields)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

/** Asks whether an endpoint is to get events from two webhooks. */
function TwinQuestion({
  twin: { url, description },
  submit,
  send,
  onClose,
}: {
  readonly twin: Webhook;
  readonly submit: string;
  readonly send: () => Promise<unknown>;
  readonly onClose: () => void;
}): ReactNode {
  const { mutate, isPending, error } = useMutation({ mutationFn: send });
  return (
    <ConfirmDialog
      opened
      title="Two webhooks for one URL?"
      confirm={`${submit} anyway`}
      isDangerous={false}
      isBusy={isPending}
      error={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {description === null ? 'Another webhook' : `The webhook “${description}”`} already posts to {url}.
        Your endpoint would receive each event twice, signed with different secrets.
      </Text>
    </ConfirmDialog>
  );
}

function EventChoice(props: Omit<CheckboxGroupProps, 'children'>): ReactNode {
  return (
    <Checkbox.Group label="Events" description="The events this webhook receives." {...props}>
      <Stack gap={8} mt={8}>
        <EventChecks kinds={messageEvents} />
        <Text size="xs" c="dimmed" fw={550} mt={4}>
          Inbound messages and contacts
        </Text>
        <EventChecks kinds={inboundEvents} />
        <Text size="xs" c="dimmed" fw={550} mt={4}>
          Groups with fallback
        </Text>
        <EventChecks kinds={groupEvents} />
        <Text size="xs" c="dimmed" fw={550} mt={4}>
          One-time codes
        </Text>
        <EventChecks kinds={verificationEvents} />
      </Stack>
    </Checkbox.Group>
  );
}

function EventChecks({
  kinds,
}: {
  readonly kinds: readonly { readonly name: string; readonly says: string }[];
}): ReactNode {
  return kinds.map(({ name, says }) => <Checkbox key={name} value={name} label={name} description={says} />);
}
