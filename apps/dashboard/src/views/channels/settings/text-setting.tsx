import { Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Input } from './fields.ts';
import { hintOf } from './hint.ts';
import type { SettingProps } from './setting-props.ts';

/** A text in one line or several, or JSON. */
export function TextSetting({
  field,
  value,
  fault,
  change,
  input,
}: SettingProps<string> & { readonly input: Extract<Input, { kind: 'text' | 'json' }> }): ReactNode {
  const shared = {
    label: field.label,
    description: hintOf(field),
    placeholder: field.example === null ? undefined : `e.g. ${field.example}`,
    required: field.required,
    value,
    error: fault,
    autoComplete: 'off',
    spellCheck: false,
  };
  if (input.kind === 'text' && input.lines === 'one') {
    return (
      <TextInput
        {...shared}
        type={input.email ? 'email' : 'text'}
        onChange={(event) => change(event.currentTarget.value)}
      />
    );
  }
  return (
    <Textarea
      {...shared}
      description={input.kind === 'json' ? `${shared.description ?? ''} As JSON.`.trim() : shared.description}
      onChange={(event) => change(event.currentTarget.value)}
      autosize
      minRows={3}
      maxRows={12}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    />
  );
}
