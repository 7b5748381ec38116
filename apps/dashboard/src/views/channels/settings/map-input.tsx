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
import { CrossIcon } from '../../../parts/icons.tsx';
import type { Input as FieldInput } from './fields.ts';
import { hintOf } from './hint.ts';
import type { SettingProps } from './setting-props.ts';
import type { Entry, Value } from './values.ts';

type MapKind = Extract<FieldInput, { kind: 'map' }>;

/** Names with a value each, one per line. `words` say what the two are. */
export function MapInput({
  field,
  entries: value,
  fault,
  change,
  input,
  stored,
  words = ['Name', 'Value'],
}: Omit<SettingProps<Value>, 'value'> & {
  readonly entries: Value | undefined;
  readonly input: MapKind;
  /** The names with a stored value. */
  readonly stored: ReadonlySet<string>;
  readonly words?: readonly [string, string];
}): ReactNode {
  const entries = (Array.isArray(value) ? value : []) as readonly Entry[];
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
          <Line
            key={index}
            label={`${field.label}, entry ${index + 1}`}
            entry={entry}
            input={input}
            words={words}
            isStored={stored.has(entry.name) && fault === undefined}
            change={(changed) => change(entries.with(index, changed))}
            remove={() => change(entries.toSpliced(index, 1))}
          />
        ))}
        <Button
          variant="default"
          size="compact-sm"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => change([...entries, { name: '', value: input.options?.[0]?.value ?? '' }])}
        >
          Add entry
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}

interface LineProps {
  readonly label: string;
  readonly entry: Entry;
  readonly input: MapKind;
  readonly words: readonly [string, string];
  readonly isStored: boolean;
}

function Line({
  change,
  remove,
  ...shared
}: LineProps & { readonly change: (entry: Entry) => void; readonly remove: () => void }): ReactNode {
  const { label, entry, words } = shared;
  return (
    <Group gap="xs" wrap="nowrap" align="center">
      <TextInput
        flex={1}
        aria-label={`${label}: ${words[0].toLowerCase()}`}
        placeholder={words[0]}
        value={entry.name}
        onChange={(event) => change({ ...entry, name: event.currentTarget.value })}
      />
      <EntryValue {...shared} change={(value) => change({ ...entry, value })} />
      <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${label}`} onClick={remove}>
        <CrossIcon size={16} />
      </ActionIcon>
    </Group>
  );
}

function EntryValue({
  label,
  entry,
  input,
  words,
  isStored,
  change,
}: LineProps & { readonly change: (text: string) => void }): ReactNode {
  const shared = { flex: 2, 'aria-label': `${label}: ${words[1].toLowerCase()}`, value: entry.value };
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
      placeholder={input.secret && isStored ? 'Leave empty to keep the stored value' : words[1]}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
