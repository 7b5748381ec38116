import { Checkbox, type CheckboxGroupProps, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { DialogButtons } from '../../parts/dialog-buttons.tsx';
import { Form } from '../../parts/form.tsx';
import { useSubmit } from '../../parts/use-submit.ts';
import { eventKinds, type EventName } from './event-kinds.ts';

/** The fields that a tenant sets. */
export interface WebhookFields extends Record<string, unknown> {
  readonly url: string;
  readonly description: string;
  readonly events: EventName[];
}

/** The form of a webhook, new or changed. */
export function WebhookForm({
  initial,
  submit,
  send,
  onCancel,
}: {
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
    },
  });
  const submission = useSubmit(form, ({ url, ...rest }) => send({ url: url.trim(), ...rest }));
  return (
    <Form
      submission={submission}
      fields={['url', 'description', 'events']}
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
        description="Optional. Helps you identify it."
        maxLength={500}
        spellCheck
        {...form.getInputProps('description')}
      />
      <EventChoice key={form.key('events')} {...form.getInputProps('events')} />
    </Form>
  );
}

function EventChoice(props: Omit<CheckboxGroupProps, 'children'>): ReactNode {
  return (
    <Checkbox.Group label="Events" description="The events this webhook receives." {...props}>
      <Stack gap={8} mt={8}>
        {eventKinds.map(({ name, says }) => (
          <Checkbox key={name} value={name} label={name} description={says} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
