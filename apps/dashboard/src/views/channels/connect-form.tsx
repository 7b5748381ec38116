import { Button, Card, Group, Stack, Switch, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Provider } from '@notify/sdk';
import { type ReactNode, type SyntheticEvent, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { fieldErrors } from '../../api/failure.ts';
import { useChange } from '../../api/hooks.ts';
import { UnsavedGuard } from '../../parts/dialog/unsaved-guard.tsx';
import { focusFirstFault } from './focus-first-fault.ts';
import { FormTrouble } from './form-trouble.tsx';
import { GatewayPreview, PresetChoice, profileAt } from './gateway/gateway-help.tsx';
import { SettingsInputs } from './settings/settings-form.tsx';
import { type SettingsForm, useSettingsForm } from './settings/use-settings-form.ts';

/** The provider whose settings describe requests. */
const gateway = 'http-sms';
const refresh = ['get /v1/channel-accounts'] as const;

/** Creates the account. If its provider links phones, also requests the first QR code. */
function useConnect(provider: Provider, form: SettingsForm, onCreated: () => void) {
  const create = useChange('post /v1/channel-accounts', { refresh });
  const link = useChange('post /v1/channel-accounts/{id}/link');
  const navigate = useNavigate();
  return {
    error: create.error,
    isBusy: create.isPending || link.isPending,
    connect: async (name: string, isDefault: boolean): Promise<boolean> => {
      try {
        const body = { provider: provider.id, name, settings: form.settings(), isDefault };
        const { id, lastConnectedAt } = await create.mutateAsync({ body });
        onCreated();
        // If that fails, the account's page offers to request it again.
        if (provider.capabilities.linking)
          await link.mutateAsync({ path: { id }, body: {} }).catch(() => undefined);
        if (lastConnectedAt !== null)
          notifications.show({
            color: 'teal',
            message: `Connected. ${provider.name} accepted the settings.`,
          });
        await navigate(`/channels/${id}`);
        return true;
      } catch (failure) {
        form.refuse(failure);
        return false;
      }
    },
  };
}

/** What happens without the switch, as the api does it. */
function defaultHint({ capabilities: { linking } }: Provider): string {
  const works = linking
    ? 'once its phone is linked'
    : 'once the provider has accepted its settings or a message';
  return `Messages without channelAccountId are sent from the default account of their channel. The first real account of a channel automatically becomes the default ${works}.${linking ? '' : ' Switch this on to use it even if it cannot be verified.'}`;
}

/**
 * The settings of a new account, which the api verifies when it stores them. Afterwards the account's page opens. It shows
 * why settings were refused, or links a phone.
 */
export function ConnectForm({ provider }: { readonly provider: Provider }): ReactNode {
  const [name, setName] = useState('');
  const [isDefault, setDefault] = useState(false);
  const [wasTried, setTried] = useState(false);
  const form = useSettingsForm(provider, {});
  const isDone = useRef(false);
  const { error, isBusy, connect } = useConnect(provider, form, () => (isDone.current = true));
  const element = useRef<HTMLFormElement>(null);

  async function submit(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    const isReady = !form.isIncomplete() && name.trim() !== '';
    if (!isReady || !(await connect(name.trim(), isDefault))) focusFirstFault(element.current);
  }

  const nameFault = wasTried && name.trim() === '' ? 'Required' : fieldErrors(error)['name'];
  return (
    <Card component="form" ref={element} noValidate onSubmit={(event) => void submit(event)}>
      <UnsavedGuard isDirty={() => !isDone.current && (name !== '' || isDefault || form.isChanged())} />
      <Stack gap="md">
        <TextInput
          label="Name"
          description="For you and your team. Recipients do not see it."
          placeholder={provider.channel === 'sms' ? 'Shop SMS' : 'Shop'}
          required
          maxLength={200}
          value={name}
          error={nameFault}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {provider.id === gateway && <PresetChoice form={form} />}
        <SettingsInputs form={form} {...(provider.id === gateway ? { without: profileAt } : {})} />
        {provider.id === gateway && <GatewayPreview form={form} callbackUrl={null} />}
        <Switch
          label="Set as default"
          description={defaultHint(provider)}
          checked={isDefault}
          onChange={(event) => setDefault(event.currentTarget.checked)}
        />
        <FormTrouble error={error}>Not connected. Fix the marked fields.</FormTrouble>
        <Group gap="xs">
          <Button type="submit" loading={isBusy}>
            {provider.capabilities.linking ? 'Connect and show the QR code' : 'Connect'}
          </Button>
          <Button variant="subtle" color="gray" component={Link} to="/channels">
            Cancel
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}
