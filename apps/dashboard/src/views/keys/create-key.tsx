import type { CreatedApiKey } from '@notify/sdk';
import type { ReactNode } from 'react';
import { FormDialog } from '../../parts/dialog/form-dialog.tsx';
import { KeyForm } from './key-form.tsx';

/** Asks what a new key may do, and creates it. Mounted only while it is open. */
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
    <FormDialog title="Create an API key" size="lg" onClose={onClose}>
      {(cancel) => <KeyForm onClose={cancel} onCreated={create} />}
    </FormDialog>
  );
}
