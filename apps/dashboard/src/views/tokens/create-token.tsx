import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { CreatedServiceToken } from '@notify/sdk';
import type { ReactNode } from 'react';
import { useChange } from '../../api/hooks.ts';
import { LimitInputs } from '../../parts/credential/limit-inputs.tsx';
import { DialogButtons } from '../../parts/dialog/dialog-buttons.tsx';
import { Form } from '../../parts/form/form.tsx';
import { FormDialog, useUnsaved } from '../../parts/dialog/form-dialog.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { ScopeInputs } from './scope-inputs.tsx';
import { newToken, tokenBody, tokenFaults, tokenInputs, type TokenValues } from './token-values.ts';

/** Asks what a new service token may do, and creates it. Mounted only while it is open. */
export function CreateToken({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (created: CreatedServiceToken) => void;
}): ReactNode {
  const create = (created: CreatedServiceToken): void => {
    onClose();
    onCreated(created);
  };
  return (
    <FormDialog title="Create a service token" size="lg" onClose={onClose}>
      {(cancel) => <TokenForm onClose={cancel} onCreated={create} />}
    </FormDialog>
  );
}

function TokenForm({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (created: CreatedServiceToken) => void;
}): ReactNode {
  const create = useChange('post /tenant/service-tokens', { refresh: ['get /tenant/service-tokens'] });
  const form = useForm<TokenValues>({ mode: 'controlled', initialValues: newToken, validate: tokenFaults });
  useUnsaved(form.isDirty);
  const submission = useSubmit(form, async (values) => {
    onCreated(await create.mutateAsync({ body: tokenBody(values, Date.now()) }));
  });
  return (
    <Form
      submission={submission}
      fields={tokenInputs}
      buttons={<DialogButtons submit="Create" isBusy={submission.isBusy} onCancel={onClose} />}
    >
      <TextInput
        label="Name"
        description="The program or machine that uses it, such as “deployment” or “laptop”."
        maxLength={200}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <ScopeInputs form={form} />
      <LimitInputs form={form} what="token" />
    </Form>
  );
}
