import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { PhoneForm } from './phone-form.tsx';
import { useLinking } from './use-linking.ts';

/** Shown when no phone is linked; starts linking. `reason`: why the last attempt ended, in the api's own words. */
export function LinkStart({
  id,
  reason,
}: {
  readonly id: string;
  readonly reason: string | null;
}): ReactNode {
  const { begin, isBusy, failure } = useLinking(id);
  const [byCode, setByCode] = useState(false);
  return (
    <Stack gap="md">
      {reason !== null && (
        <Alert color="red" title="Linking failed">
          {reason}
        </Alert>
      )}
      {reason === null && <Text>Link the phone you’ll send from. It stays the primary device.</Text>}
      {failure !== null && !byCode && (
        <Text c="var(--mantine-color-error)" role="alert">
          {failure.message}
        </Text>
      )}
      {byCode ? (
        <PhoneForm id={id} onDone={() => setByCode(false)} />
      ) : (
        <Group gap="xs">
          <Button loading={isBusy} onClick={() => void begin()}>
            {reason === null ? 'Show a QR code' : 'Try again with a QR code'}
          </Button>
          <Button variant="default" onClick={() => setByCode(true)}>
            Link with a code instead
          </Button>
        </Group>
      )}
    </Stack>
  );
}
