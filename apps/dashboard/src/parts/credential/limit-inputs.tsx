import { NativeSelect } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { MomentInput } from '../form/moment-input.tsx';
import { AddressInputs } from './address-inputs.tsx';
import { byTime, ends, type LimitValues } from './credential-limits.ts';

/** Asks when a credential ends and where it works from. Its form is a controlled one. */
export function LimitInputs<Values extends LimitValues>({
  form,
  what,
}: {
  readonly form: UseFormReturnType<Values>;
  /** Such as `key`. */
  readonly what: string;
}): ReactNode {
  const endProps = form.getInputProps('ends') as { onChange: (event: unknown) => void; value: string };
  return (
    <>
      <NativeSelect
        label="Expires"
        description={`After that, requests with the ${what} get 401.`}
        data={[...ends]}
        {...endProps}
        onChange={(event) => {
          endProps.onChange(event);
          form.clearFieldError('expiresAt');
        }}
        error={form.values.ends === byTime ? undefined : form.errors.expiresAt}
      />
      {form.values.ends === byTime && <MomentInput label="Expires at" {...form.getInputProps('expiresAt')} />}
      <AddressInputs form={form} what={what} />
    </>
  );
}
