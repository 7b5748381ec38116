import { NativeSelect, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CodeLine } from '../../../parts/copy/code-line.tsx';
import type { SettingsForm } from '../settings/use-settings-form.ts';
import { addressOf, asHttp, example, previewOf } from './preview.ts';
import { presets } from './presets.ts';

/** The place of the setting that `PresetChoice` asks for in its stead. */
export const profileAt = '/profile';

/** What kind of gateway it is. Fills in the form with the usual settings of that kind; the URL and the sender stay. */
export function PresetChoice({ form }: { readonly form: SettingsForm }): ReactNode {
  const [chosen, setChosen] = useState('');
  const choose = (name: string): void => {
    setChosen(name);
    const preset = presets.find((one) => one.name === name);
    if (preset === undefined) return form.state.change(profileAt, '');
    const { url, from } = form.settings();
    form.fill({
      ...(url === undefined ? {} : { url }),
      ...(from === undefined ? {} : { from }),
      ...preset.settings,
    });
  };
  return (
    <NativeSelect
      label="Gateway"
      description="A gateway by name needs only its credentials. The other kinds fill in an example of a request. Adapt it to the documentation of your gateway."
      value={chosen}
      data={[
        { value: '', label: 'Another kind: describe its requests yourself' },
        ...presets.map(({ name, label }) => ({ value: name, label })),
      ]}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  );
}

/** The request that the settings make of an example message. */
export function GatewayPreview({
  form,
  callbackUrl,
}: {
  readonly form: SettingsForm;
  /** Null if it is not known yet. */
  readonly callbackUrl: string | null;
}): ReactNode {
  const settings = form.settings();
  if (addressOf(settings) === '') return null;
  const preview = previewOf(settings, callbackUrl ?? 'https://…/callbacks/http-sms/…');
  return (
    <section aria-label="Preview">
      <Text size="sm" fw={500}>
        Preview
      </Text>
      <Text size="xs" c="dimmed" mb={4}>
        The request for “{example.text}” to {example.to}. Secrets are hidden.
      </Text>
      <CodeLine code={asHttp(preview)} what="Preview of the request" label="Copy the preview" />
    </section>
  );
}
