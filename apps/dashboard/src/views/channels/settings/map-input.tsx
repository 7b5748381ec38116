import {
  ActionIcon,
  Button,
  Group,
  Input,
  NativeSelect,
  PasswordInput,
  Stack,
  TextInput,
} from '@mantine/core';
import type { ReactNode } from 'react';
import type { Input as FieldInput } from './fields.ts';
import { hintOf } from './hint.ts';
import type { SettingProps } from './setting-props.ts';
import type { Entry, Value } from './values.ts';

type MapKind = Extract<FieldInput, { kind: 'map' }>;

/** Names with a value each, line by line. */
export function MapInput({
  field,
  entries: value,
  fault,
  change,
  input,
  stored,
}: Omit<SettingProps<Value>, 'value'> & {
  readonly entries: Value | undefined;
  readonly input: MapKind;
  /** The names whose values are stored. */
  readonly stored: ReadonlySet<string>;
}): ReactNode {
  const entries = (Array.isArray(value) ? value : []) as readonly Entry[];
  const replace = (index: number, entry: Entry): void => change(entries.with(index, entry));
  return (
    <Input.Wrapper
      label={field.label}
      labelElement="div"
      description={hintOf(field)}
      required={field.required}
      error={fault}
      role="group"
      aria-label={field.label}
    >
      <Stack gap="xs" mt={entries.length > 0 ? 'xs' : 4}>
        {entries.map((entry, index) => (
          <Group key={index} gap="xs" wrap="nowrap" align="center">
            <TextInput
              flex={1}
              aria-label={`${field.label}, name ${index + 1}`}
              placeholder="Name"
              value={entry.name}
              onChange={(event) => replace(index, { ...entry, name: event.currentTarget.value })}
            />
            <EntryValue
              label={`${field.label}, value ${index + 1}`}
              entry={entry}
              input={input}
              isStored={stored.has(entry.name)}
              change={(text) => replace(index, { ...entry, value: text })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove line ${index + 1} of ${field.label}`}
              onClick={() => change(entries.toSpliced(index, 1))}
            >
              ×
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="default"
          size="compact-sm"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => change([...entries, { name: '', value: input.options?.[0]?.value ?? '' }])}
        >
          Add to {field.label}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}

function EntryValue({
  label,
  entry,
  input,
  isStored,
  change,
}: {
  readonly label: string;
  readonly entry: Entry;
  readonly input: MapKind;
  readonly isStored: boolean;
  readonly change: (text: string) => void;
}): ReactNode {
  const shared = { flex: 2, 'aria-label': label, value: entry.value };
  if (input.options !== null) {
    return (
      <NativeSelect
        {...shared}
        data={[...input.options]}
        onChange={(event) => change(event.currentTarget.value)}
      />
    );
  }
  const Text = input.secret ? PasswordInput : TextInput;
  return (
    <Text
      {...shared}
      placeholder={input.secret && isStored ? 'Stored; empty keeps it' : 'Value'}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
