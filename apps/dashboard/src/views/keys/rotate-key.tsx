import { Radio, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ApiKey, CreatedApiKey } from '@notify/sdk';
import type { ReactNode } from 'react';
import { useChange } from '../../api/hooks.ts';
import { Dialog } from '../../parts/dialog/dialog.tsx';
import { DialogButtons } from '../../parts/dialog/dialog-buttons.tsx';
import { Form } from '../../parts/form/form.tsx';
import { Time, useNow } from '../../parts/time/time.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { overlaps, stopsAt, usualOverlap } from './overlap.ts';

/** Asks how long the old key still works, and replaces it. Mounted only while it is open. */
export function RotateKey({
  apiKey: { id, name, expiresAt },
  onClose,
  onRotated,
}: {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
  readonly onRotated: (created: CreatedApiKey) => void;
}): ReactNode {
  const rotate = useChange('post /tenant/api-keys/{id}/rotate', { refresh: ['get /tenant/api-keys'] });
  const form = useForm({ mode: 'controlled', initialValues: { overlapSeconds: String(usualOverlap) } });
  const overlapSeconds = Number(form.values.overlapSeconds);
  const submission = useSubmit(form, async () => {
    const created = await rotate.mutateAsync({ path: { id }, body: { overlapSeconds } });
    onClose();
    onRotated(created);
  });
  return (
    <Dialog onClose={onClose} title={`Rotate “${name}”?`}>
      <Form
        submission={submission}
        fields={['overlapSeconds']}
        buttons={<DialogButtons submit="Rotate key" isBusy={submission.isBusy} onCancel={onClose} />}
      >
        <Text size="sm">
          Notify creates a new key with the same name, scopes, accounts, addresses, limit and expiration.
        </Text>
        <Radio.Group label="How long the old key still works" {...form.getInputProps('overlapSeconds')}>
          <Stack gap={8} mt={8}>
            {overlaps.map(({ seconds, label }) => (
              <Radio
                key={seconds}
                value={String(seconds)}
                label={label}
                {...(seconds === usualOverlap ? { 'data-autofocus': true } : {})}
              />
            ))}
          </Stack>
        </Radio.Group>
        <Text size="sm" aria-live="polite">
          <Consequence seconds={overlapSeconds} expiresAt={expiresAt} />
        </Text>
      </Form>
    </Dialog>
  );
}

function Consequence({
  seconds,
  expiresAt,
}: {
  readonly seconds: number;
  readonly expiresAt: string | null;
}): ReactNode {
  const now = useNow();
  if (seconds === 0) return 'Requests with the old key get 401 until your app has the new key.';
  return (
    <>
      Both keys work until <Time at={stopsAt(seconds, expiresAt, now)} />. Then the old key stops. Revoke it
      earlier once your app has the new key.
    </>
  );
}
