import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { ChannelAccount, Provider } from '@notify/sdk';
import { type ReactNode, type SyntheticEvent, useRef, useState } from 'react';
import { fieldErrors } from '../../api/failure.ts';
import { useChange } from '../../api/hooks.ts';
import { UnsavedGuard } from '../../parts/dialog/unsaved-guard.tsx';
import { focusFirstFault } from './focus-first-fault.ts';
import { FormTrouble } from './form-trouble.tsx';
import { GatewayPreview } from './gateway/gateway-help.tsx';
import { withoutQuietHours } from './quiet-hours/quiet-hours-fields.ts';
import { SettingsInputs } from './settings/settings-form.tsx';
import { useSettingsForm } from './settings/use-settings-form.ts';
import type { AccountCheck } from './check-account.tsx';

/** The templates are read again with new settings. */
const refresh = [
  'get /v1/channel-accounts',
  'get /v1/channel-accounts/{id}',
  'get /v1/channel-accounts/{id}/templates',
] as const;

/** Changes the name and settings of an account. The api verifies new settings when it stores them. */
export function ChangeForm({
  account,
  provider,
  check,
}: {
  readonly account: ChannelAccount;
  readonly provider: Provider;
  readonly check: AccountCheck;
}): ReactNode {
  const [name, setName] = useState(account.name);
  const form = useSettingsForm(provider, account.settings, withoutQuietHours);
  const change = useChange('patch /v1/channel-accounts/{id}', { refresh });
  const element = useRef<HTMLFormElement>(null);

  async function submit(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    if (form.isIncomplete()) return focusFirstFault(element.current);
    const settings = form.patch();
    try {
      const body = { name: name.trim(), ...(settings === null ? {} : { settings }) };
      const changed = await change.mutateAsync({ path: { id: account.id }, body });
      form.reset(changed.settings);
      check.clear();
    } catch (failure) {
      form.refuse(failure);
      focusFirstFault(element.current);
    }
  }

  return (
    <form ref={element} noValidate onSubmit={(event) => void submit(event)}>
      <UnsavedGuard isDirty={() => name.trim() !== account.name || form.isChanged()} />
      <Stack gap="md">
        <TextInput
          label="Name"
          required
          maxLength={200}
          value={name}
          error={name.trim() === '' ? 'Required' : fieldErrors(change.error)['name']}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <SettingsInputs form={form} />
        {provider.id === 'http-sms' && <GatewayPreview form={form} callbackUrl={account.callbackUrl} />}
        <FormTrouble error={change.error}>Not saved. Fix the marked fields.</FormTrouble>
        <Group gap="sm">
          <Button type="submit" loading={change.isPending} disabled={name.trim() === ''}>
            Save
          </Button>
          <Text size="sm" role="status">
            {change.isSuccess && savedWords(change.data, change.variables.body?.settings !== undefined)}
          </Text>
        </Group>
      </Stack>
    </form>
  );
}

/** New settings were checked, unless a phone is linked instead. The alert above has the reason of a refusal. */
function savedWords({ status, statusDetail }: ChannelAccount, wasChecked: boolean): string {
  if (!wasChecked) return 'Saved';
  if (status === 'action-required') return 'Saved, but the account cannot send';
  return statusDetail === null ? 'Saved. The account works.' : 'Saved, not verified';
}
