import { Checkbox, NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import type { CreatedApiKey } from '@notify/sdk';
import type { ReactNode } from 'react';
import { useChange } from '../../api/hooks.ts';
import { LimitInputs } from '../../parts/credential/limit-inputs.tsx';
import { DialogButtons } from '../../parts/dialog/dialog-buttons.tsx';
import { atGroups } from '../../parts/form/at-groups.ts';
import { Form } from '../../parts/form/form.tsx';
import { useUnsaved } from '../../parts/dialog/form-dialog.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { AccountInputs } from './account-inputs.tsx';
import { keyScopes } from './key-scopes.ts';
import { keyBody, keyFaults, keyInputs, type KeyValues, newKey } from './key-values.ts';

/** The form of a new key. */
export function KeyForm({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (created: CreatedApiKey) => void;
}): ReactNode {
  const create = useChange('post /tenant/api-keys', { refresh: ['get /tenant/api-keys'] });
  const form = useForm<KeyValues>({ mode: 'controlled', initialValues: newKey, validate: keyFaults });
  useUnsaved(form.isDirty);
  const submission = useSubmit(form, async (values) => {
    try {
      onCreated(await create.mutateAsync({ body: keyBody(values, Date.now()) }));
    } catch (failure) {
      throw atGroups(failure);
    }
  });
  return (
    <Form
      submission={submission}
      fields={keyInputs}
      buttons={<DialogButtons submit="Create" isBusy={submission.isBusy} onCancel={onClose} />}
    >
      <TextInput
        label="Name"
        description="The app that uses it, such as “shop” or “billing”."
        maxLength={200}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <ScopeInputs form={form} />
      <AccountInputs form={form} />
      <LimitInputs form={form} what="key" />
      <NumberInput
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

function ScopeInputs({ form }: { readonly form: UseFormReturnType<KeyValues> }): ReactNode {
  return (
    <Checkbox.Group
      label="Scopes"
      description="What the key may do. Everything else gets 403."
      {...form.getInputProps('scopes')}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing={8} mt={8}>
        {keyScopes.map(({ name, says }) => (
          <Checkbox key={name} value={name} label={name} description={says} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}
