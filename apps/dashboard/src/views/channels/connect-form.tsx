import { Button, Card, Group, Stack, Switch, TextInput } from '@mantine/core';
import { type ReactNode, type SyntheticEvent, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { fieldErrors } from '../../api/failure.ts';
import { useChange } from '../../api/hooks.ts';
import type { Provider } from '../../api/schema.ts';
import { focusFirstFault } from './focus-first-fault.ts';
import { FormTrouble } from './form-trouble.tsx';
import { SettingsInputs } from './settings/settings-form.tsx';
import { useSettingsForm } from './settings/use-settings-form.ts';

const refresh = ['get /v1/channel-accounts'] as const;

/** The settings of a new account. Its page, where it is verified or linked at once, follows. */
export function ConnectForm({ provider }: { readonly provider: Provider }): ReactNode {
  const [name, setName] = useState('');
  const [isDefault, setDefault] = useState(false);
  const [wasTried, setTried] = useState(false);
  const form = useSettingsForm(provider, {});
  const create = useChange('post /v1/channel-accounts', { refresh });
  const link = useChange('post /v1/channel-accounts/{id}/link');
  const navigate = useNavigate();
  const element = useRef<HTMLFormElement>(null);
  const linking = provider.capabilities.linking;

  async function submit(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    if (form.isIncomplete() || name.trim() === '') return focusFirstFault(element.current);
    try {
      const body = { provider: provider.id, name: name.trim(), settings: form.settings(), isDefault };
      const { id } = await create.mutateAsync({ body });
      if (linking) await link.mutateAsync({ path: { id }, body: {} }).catch(() => undefined);
      await navigate(`/channels/${id}`, { state: { isNew: true } });
    } catch (failure) {
      form.refuse(failure);
      focusFirstFault(element.current);
    }
  }

  const nameFault = wasTried && name.trim() === '' ? 'A name is needed.' : fieldErrors(create.error)['name'];
  return (
    <Card component="form" ref={element} noValidate onSubmit={(event) => void submit(event)}>
      <Stack gap="md">
        <TextInput
          label="Name"
          description="For you, to tell your accounts apart."
          placeholder={provider.channel === 'sms' ? 'Shop SMS' : 'Shop'}
          required
          maxLength={200}
          value={name}
          error={nameFault}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <SettingsInputs form={form} />
        <Switch
          label="Make it the default of its channel"
          description="Messages that name no account are sent from it. The first real account becomes it anyway."
          checked={isDefault}
          onChange={(event) => setDefault(event.currentTarget.checked)}
        />
        <FormTrouble error={create.error}>Nothing was connected. See the fields marked above.</FormTrouble>
        <Group gap="xs">
          <Button type="submit" loading={create.isPending || link.isPending}>
            {linking ? 'Connect and show the QR code' : 'Connect'}
          </Button>
          <Button variant="subtle" color="gray" component={Link} to="/channels">
            Cancel
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}
