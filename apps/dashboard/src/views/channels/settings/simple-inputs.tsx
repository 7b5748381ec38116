import { NumberInput, Switch, TagsInput } from '@mantine/core';
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

/** Several texts. */
export function ListInput({ field, value, fault, change }: SettingProps<readonly string[]>): ReactNode {
  const example = field.example === null ? '' : ` For example ${field.example}.`;
  return (
    <TagsInput
      label={field.label}
      description={`${hintOf(field) ?? ''} Press Enter after each.${example}`.trim()}
      required={field.required}
      value={[...value]}
      error={fault}
      onChange={change}
    />
  );
}
