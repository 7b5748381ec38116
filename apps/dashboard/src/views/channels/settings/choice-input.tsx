import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Field, Option } from './fields.ts';
import { hintOf } from './hint.ts';
import type { SettingProps } from './setting-props.ts';

/** One of a few values, or none if that is allowed. */
export function ChoiceInput({
  field,
  value,
  fault,
  change,
  options,
  none,
}: SettingProps<string> & {
  readonly options: readonly Option[];
  readonly none: string | null;
}): ReactNode {
  return (
    <NativeSelect
      label={field.label}
      description={hintOf(field)}
      required={field.required}
      value={value}
      error={fault}
      onChange={(event) => change(event.currentTarget.value)}
      data={[{ value: '', label: none ?? nothingChosen(field, options) }, ...options]}
    />
  );
}

function nothingChosen({ required, byDefault }: Field, options: readonly Option[]): string {
  const label = options.find(({ value }) => value === byDefault)?.label ?? byDefault;
  if (label !== null) return `Default: ${label}`;
  return required ? 'Choose one' : 'Not set';
}
