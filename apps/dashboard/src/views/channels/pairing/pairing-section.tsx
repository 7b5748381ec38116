import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ChannelAccount, Pairing } from '@notify/sdk';
import { type ReactNode, useState } from 'react';
import { useChange } from '../../../api/hooks.ts';
import { Form } from '../../../parts/form/form.tsx';
import { Section } from '../../../parts/section.tsx';
import { useSubmit } from '../../../parts/form/use-submit.ts';
import { PairingLink } from './pairing-link.tsx';

/** On the page of a Telegram account: makes links that tell the chat ID of the person who opens one. */
export function PairingSection({ account }: { readonly account: ChannelAccount }): ReactNode {
  const [pairing, setPairing] = useState<Pairing | null>(null);
  return (
    <Section
      title="Pairing link"
      about="A bot can only write to people who have started a chat with it. Send a person a link: when they open it and press Start, you get their chat ID."
    >
      {pairing === null ? (
        <PairingForm account={account} onMade={setPairing} />
      ) : (
        <Stack gap="md">
          <PairingLink account={account} pairing={pairing} />
          <Group>
            <Button variant="default" onClick={() => setPairing(null)}>
              Create another link
            </Button>
          </Group>
        </Stack>
      )}
    </Section>
  );
}

function PairingForm({
  account: { id },
  onMade,
}: {
  readonly account: ChannelAccount;
  readonly onMade: (pairing: Pairing) => void;
}): ReactNode {
  const create = useChange('post /v1/channel-accounts/{id}/pairings');
  const form = useForm<{ reference: string }>({
    initialValues: { reference: '' },
    validate: { reference: (typed) => (typed.trim() === '' ? 'Enter a reference.' : null) },
  });
  const submission = useSubmit(form, async ({ reference }) => {
    onMade(await create.mutateAsync({ path: { id }, body: { reference: reference.trim() } }));
  });
  return (
    <Form
      submission={submission}
      fields={['reference']}
      maw={420}
      buttons={
        <Group>
          <Button type="submit" loading={submission.isBusy}>
            Create link
          </Button>
        </Group>
      }
    >
      <TextInput
        label="Reference"
        description={
          <Text span inherit>
            Your name for the person, such as a customer number. The event contact.paired contains it.
          </Text>
        }
        maxLength={200}
        {...form.getInputProps('reference')}
      />
    </Form>
  );
}
