import { Checkbox, type CheckboxGroupProps, Stack, TagsInput, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { accountNames } from '../../../parts/account-names.ts';
import { channelName } from '../../../parts/channel-name.ts';
import type { WebhookFields } from './webhook-fields.ts';

const channels = ['whatsapp', 'telegram', 'sms'] as const;

/** Asks which events the webhook receives: of which channels and accounts, and with which tags. `chosen` are its present accounts. */
export function FilterInputs({
  form,
  chosen,
}: {
  readonly form: UseFormReturnType<WebhookFields>;
  readonly chosen: readonly string[];
}): ReactNode {
  const { channels: ofChannels, channelAccountIds, tags } = form.getInitialValues();
  const isSet = ofChannels.length + channelAccountIds.length + tags.length > 0;
  const isFaulty = ['channels', 'channelAccountIds', 'tags'].some(
    (field) => form.errors[field] !== undefined,
  );
  return (
    <details open={isSet || isFaulty}>
      <Text component="summary" size="sm" fw={500}>
        Filters
      </Text>
      <Stack mt="sm">
        <Checkbox.Group
          key={form.key('channels')}
          label="Channels"
          description="Only events of these channels. None chosen: all channels."
          {...form.getInputProps('channels')}
        >
          <Stack gap={12} mt={8}>
            {channels.map((channel) => (
              <Checkbox key={channel} value={channel} label={channelName(channel)} />
            ))}
          </Stack>
        </Checkbox.Group>
        <AccountChoice
          key={form.key('channelAccountIds')}
          chosen={chosen}
          {...form.getInputProps('channelAccountIds')}
        />
        <TagsInput
          key={form.key('tags')}
          label="Tags"
          description="Only events of messages and groups with one of these tags. Press Enter after each one. None: with any tags or none."
          maxTags={100}
          {...form.getInputProps('tags')}
        />
      </Stack>
    </details>
  );
}

/** A removed account stays as a choice while the webhook names it. */
function AccountChoice({
  chosen,
  ...props
}: Omit<CheckboxGroupProps, 'children'> & { readonly chosen: readonly string[] }): ReactNode {
  const { data: accounts } = useRead('get /v1/channel-accounts');
  if (accounts === undefined || (accounts.length === 0 && chosen.length === 0)) return null;
  const ids = [...new Set([...accounts.map(({ id }) => id), ...chosen])];
  const names = accountNames({ channelAccountIds: ids }, accounts) ?? [];
  return (
    <Checkbox.Group
      label="Accounts"
      description="Only events of these accounts. None chosen: all accounts, also those you connect later."
      {...props}
    >
      <Stack gap={12} mt={8}>
        {ids.map((id, index) => (
          <Checkbox key={id} value={id} label={names[index]} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
