import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Option } from './fields.ts';
import { hintOf } from './hint.ts';
import type { SettingProps } from './setting-props.ts';

/** One of a few values, or none if that is allowed. */
export function ChoiceInput({
  field,
  value,
  fault,
  change,
  options,
}: SettingProps<string> & { readonly options: readonly Option[] }): ReactNode {
  return (
    <NativeSelect
      label={field.label}
      description={hintOf(field)}
      required={field.required}
      value={value}
      error={fault}
      onChange={(event) => change(event.currentTarget.value)}
      data={[{ value: '', label: nothingChosen(field.required, field.byDefault) }, ...options]}
    />
  );
}

function nothingChosen(required: boolean, byDefault: string | null): string {
  if (byDefault !== null) return `${byDefault} (default)`;
  return required ? 'Choose one' : 'None';
}
