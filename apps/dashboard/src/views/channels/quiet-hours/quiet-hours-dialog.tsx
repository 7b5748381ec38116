import { Stack } from '@mantine/core';
import type { ChannelAccount, Provider } from '@notify/sdk';
import { type ReactNode, type SyntheticEvent, useRef } from 'react';
import { useChange } from '../../../api/hooks.ts';
import { DialogButtons } from '../../../parts/dialog/dialog-buttons.tsx';
import { FormDialog, useUnsaved } from '../../../parts/dialog/form-dialog.tsx';
import { focusFirstFault } from '../focus-first-fault.ts';
import { FormTrouble } from '../form-trouble.tsx';
import { SettingsFields } from '../settings/settings-fields.tsx';
import { useSettingsForm } from '../settings/use-settings-form.ts';
import { accountReads, onlyQuietHours } from './quiet-hours-fields.ts';

interface Props {
  readonly account: ChannelAccount;
  readonly provider: Provider;
  readonly onClose: () => void;
}

/** Sets the quiet hours of an account. Mounted only while it is open. */
export function QuietHoursDialog(props: Props): ReactNode {
  return (
    <FormDialog title="Quiet hours" onClose={props.onClose}>
      {(cancel) => <HoursForm {...props} onCancel={cancel} />}
    </FormDialog>
  );
}

function HoursForm({
  account,
  provider,
  onClose,
  onCancel,
}: Props & { readonly onCancel: () => void }): ReactNode {
  const form = useSettingsForm(provider, account.settings, onlyQuietHours);
  const change = useChange('patch /v1/channel-accounts/{id}', { refresh: accountReads });
  const element = useRef<HTMLFormElement>(null);
  useUnsaved(form.isChanged);

  async function submit(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    if (form.isIncomplete()) return focusFirstFault(element.current);
    const settings = form.patch();
    if (settings === null) return onClose();
    try {
      await change.mutateAsync({ path: { id: account.id }, body: { settings } });
      onClose();
    } catch (failure) {
      form.refuse(failure);
      focusFirstFault(element.current);
    }
  }

  const [hours] = [...form.layout.main, ...form.layout.more];
  return (
    <form ref={element} noValidate onSubmit={(event) => void submit(event)}>
      <Stack>
        {hours?.input.kind === 'group' && <SettingsFields fields={hours.input.fields} state={form.state} />}
        <FormTrouble error={change.error}>Not saved. Fix the marked fields.</FormTrouble>
        <DialogButtons submit="Save" isBusy={change.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
