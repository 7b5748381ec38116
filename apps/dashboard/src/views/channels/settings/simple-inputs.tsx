import { NumberInput, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Input } from './fields.ts';
import { hintOf } from './hint.ts';
import type { SettingProps } from './setting-props.ts';

/** A number; empty if none is set. */
export function NumberSetting({
  field,
  value,
  fault,
  change,
  input,
}: SettingProps<string | number> & { readonly input: Extract<Input, { kind: 'number' }> }): ReactNode {
  return (
    <NumberInput
      label={field.label}
      description={hintOf(field)}
      placeholder={field.byDefault ?? field.example ?? undefined}
      required={field.required}
      value={value}
      error={fault}
      onChange={change}
      allowDecimal={!input.integer}
      min={input.min}
      max={input.max}
      hideControls
    />
  );
}

/** A time of day. The browser shows it as the reader's clocks do. */
export function ClockInput({ field, value, fault, change }: SettingProps<string>): ReactNode {
  const example = field.example === null ? '' : ` For example ${field.example}.`;
  return (
    <TextInput
      type="time"
      label={field.label}
      description={`${hintOf(field) ?? ''}${example}`.trim()}
      required={field.required}
      value={value}
      error={fault}
      styles={{ wrapper: { maxWidth: 220 } }}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

/** Yes or no. */
export function SwitchInput({ field, value, fault, change }: SettingProps<boolean>): ReactNode {
  return (
    <Switch
      label={field.label}
      description={hintOf(field)}
      checked={value}
      error={fault}
      onChange={(event) => change(event.currentTarget.checked)}
    />
  );
}

/** Several texts. If no text is something else than the default, a switch chooses that. */
export function ListInput({
  field,
  value,
  fault,
  change,
  mayBeEmpty,
}: SettingProps<readonly string[] | null> & { readonly mayBeEmpty: boolean }): ReactNode {
  const example = field.example === null ? '' : ` For example ${field.example}.`;
  const texts = value ?? [];
  const isOff = mayBeEmpty && value?.length === 0;
  return (
    <Stack gap={6}>
      <TagsInput
        label={field.label}
        description={`${hintOf(field) ?? ''} Press Enter after each one.${example}`.trim()}
        required={field.required}
        value={[...texts]}
        error={fault}
        disabled={isOff}
        onChange={(wanted) => change(mayBeEmpty && wanted.length === 0 ? null : wanted)}
      />
      {mayBeEmpty && (
        <Switch
          size="xs"
          label={`No ${lowered(field.label)}`}
          checked={isOff}
          onChange={(event) => change(event.currentTarget.checked ? [] : null)}
        />
      )}
    </Stack>
  );
}

/** A label as it stands within a sentence. */
function lowered(label: string): string {
  return `${label.charAt(0).toLowerCase()}${label.slice(1)}`;
}
