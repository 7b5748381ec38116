import { ActionIcon, Button, Fieldset, Group, Input, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type ClipboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { CrossIcon, PlusIcon } from '../icons.tsx';
import { addressesIn, type LimitValues, mostAddresses } from './credential-limits.ts';
import classes from './credential.module.css';

const field = 'allowedIps';

/** A list of addresses, one input each. A pasted list fills as many. */
export function AddressInputs<Values extends LimitValues>({
  form,
  what,
}: {
  readonly form: UseFormReturnType<Values>;
  /** Such as `key`. */
  readonly what: string;
}): ReactNode {
  const { allowedIps } = form.values;
  const group = useFocusOnChange(allowedIps.length);
  return (
    <Fieldset legend="Allowed addresses" variant="unstyled" className={classes.group} ref={group}>
      <Text size="xs" c="dimmed">
        {allowedIps.length === 0
          ? `The ${what} works from any address.`
          : 'IPv4 or IPv6 addresses, or CIDR blocks. Requests from elsewhere get 403.'}
      </Text>
      <Stack gap={6} mt={6}>
        {allowedIps.map((_, index) => (
          // The place is what an address is known by, also in the api's errors.
          // oxlint-disable-next-line react/no-array-index-key
          <AddressInput key={index} form={form} index={index} />
        ))}
        {form.errors[field] !== undefined && <Input.Error role="alert">{form.errors[field]}</Input.Error>}
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<PlusIcon size={14} />}
            disabled={allowedIps.length >= mostAddresses}
            onClick={() => form.insertListItem(field, '' as never)}
            data-add
          >
            Add an address
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}

function AddressInput<Values extends LimitValues>({
  form,
  index,
}: {
  readonly form: UseFormReturnType<Values>;
  readonly index: number;
}): ReactNode {
  const paste = (event: ClipboardEvent<HTMLInputElement>): void => {
    const pasted = addressesIn(event.clipboardData.getData('text'));
    if (pasted.length < 2) return;
    event.preventDefault();
    form.setFieldValue(field, form.values.allowedIps.toSpliced(index, 1, ...pasted) as never);
  };
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <TextInput
        flex={1}
        aria-label={`Address ${index + 1}`}
        placeholder="203.0.113.0/24"
        maxLength={49}
        onPaste={paste}
        {...form.getInputProps(`${field}.${index}`)}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size="input-sm"
        aria-label={`Remove address ${index + 1}`}
        onClick={() => form.removeListItem(field, index)}
      >
        <CrossIcon size={16} />
      </ActionIcon>
    </Group>
  );
}

/** Moves the focus into a line that was added, and to the button once a line is gone. */
function useFocusOnChange(count: number) {
  const group = useRef<HTMLFieldSetElement>(null);
  const before = useRef(count);
  useEffect(() => {
    if (count === before.current) return;
    const wanted = count > before.current ? 'input' : 'button[data-add]';
    before.current = count;
    [...(group.current?.querySelectorAll<HTMLElement>(wanted) ?? [])].at(-1)?.focus();
  }, [count]);
  return group;
}
