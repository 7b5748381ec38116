import { NumberInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { useChange } from '../../api/hooks.ts';
import type { CreatedApiKey } from '../../api/schema.ts';
import { DialogButtons } from '../../parts/dialog-buttons.tsx';
import { Form } from '../../parts/form.tsx';
import { FormDialog, useUnsaved } from '../../parts/form-dialog.tsx';
import { useSubmit } from '../../parts/use-submit.ts';

/** Asks for a new key's name and limit, and creates it. Mounted only while it is open. */
export function CreateKey({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (created: CreatedApiKey) => void;
}): ReactNode {
  const create = (created: CreatedApiKey): void => {
    onClose();
    onCreated(created);
  };
  return (
    <FormDialog title="Create an API key" onClose={onClose}>
      {(cancel) => <KeyForm onClose={cancel} onCreated={create} />}
    </FormDialog>
  );
}

function KeyForm({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (created: CreatedApiKey) => void;
}): ReactNode {
  const create = useChange('post /tenant/api-keys', { refresh: ['get /tenant/api-keys'] });
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: '', rateLimitOverride: '' as number | string },
    validate: { name: (name) => (name.trim() === '' ? 'Required' : null) },
  });
  useUnsaved(form.isDirty);
  const submission = useSubmit(form, async ({ name, rateLimitOverride: limit }) => {
    const body = { name, ...(typeof limit === 'number' ? { rateLimitOverride: limit } : {}) };
    onCreated(await create.mutateAsync({ body }));
  });
  return (
    <Form
      submission={submission}
      fields={['name', 'rateLimitOverride']}
      buttons={<DialogButtons submit="Create" isBusy={submission.isBusy} onCancel={onClose} />}
    >
      <TextInput
        key={form.key('name')}
        label="Name"
        description="The app that uses it, such as “shop” or “billing”."
        maxLength={200}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <NumberInput
        key={form.key('rateLimitOverride')}
        label="Requests per minute"
        description="Optional. From 1 to 10,000. A bulk call counts as one request. Default: the limit of your plan."
        min={1}
        max={10_000}
        clampBehavior="none"
        allowDecimal={false}
        allowNegative={false}
        thousandSeparator=","
        {...form.getInputProps('rateLimitOverride')}
      />
    </Form>
  );
}
