import { Textarea } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ChannelAccount } from '@notify/sdk';
import type { ReactNode } from 'react';
import { lengthOf } from './text-length.ts';
import type { Values } from './values.ts';

/** The text of a message, with its length. */
export function TextInputs({
  form,
  channel,
}: {
  readonly form: UseFormReturnType<Values>;
  readonly channel: ChannelAccount['channel'];
}): ReactNode {
  return (
    <Textarea
      label="Text"
      description={lengthOf(form.values.text, channel)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      autosize
      minRows={3}
      maxRows={10}
      {...form.getInputProps('text')}
    />
  );
}
