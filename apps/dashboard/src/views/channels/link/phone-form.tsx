import { plainPhone } from '@notify/core';
import { Button, Group, TextInput } from '@mantine/core';
import type { ReactNode, SyntheticEvent } from 'react';
import { useState } from 'react';
import { fieldErrors } from '../../../api/failure.ts';
import { useLinking } from './use-linking.ts';

/** Asks for the phone's number, to link it with a code that is entered on the phone. */
export function PhoneForm({ id, onDone }: { readonly id: string; readonly onDone: () => void }): ReactNode {
  const { begin, isBusy, failure } = useLinking(id);
  const [phone, setPhone] = useState('');
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    if (await begin(plainPhone(phone))) onDone();
  };
  const fault = failure === null ? undefined : (fieldErrors(failure)['phone'] ?? failure.message);
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <TextInput
        label="Phone number"
        description="With country code."
        type="tel"
        autoComplete="tel"
        placeholder="+14155550123"
        required
        data-autofocus
        value={phone}
        error={fault}
        onChange={(event) => setPhone(event.currentTarget.value)}
        maw={320}
      />
      <Group gap="xs" mt="sm">
        <Button type="submit" loading={isBusy} disabled={phone.trim() === ''}>
          Get a code
        </Button>
        <Button variant="subtle" color="gray" onClick={onDone}>
          Back
        </Button>
      </Group>
    </form>
  );
}
