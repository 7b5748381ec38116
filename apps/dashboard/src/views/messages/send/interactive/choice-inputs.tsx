import { ActionIcon, Fieldset, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { interactiveLimits as limits } from '@notify/core';
import type { ReactNode } from 'react';
import { TrashIcon } from '../../../../parts/icons.tsx';
import type { Values } from '../values.ts';
import classes from './interactive.module.css';
import { CountedInput } from './counted-input.tsx';
import { draftName } from './draft.ts';

/** The title and the ID of something that can be chosen, and what more it has. */
export function ChoiceInputs({
  form,
  field,
  name,
  mostInTitle,
  madeId,
  onRemove,
  children,
}: {
  readonly form: UseFormReturnType<Values>;
  /** The name of the choice in the draft. */
  readonly field: string;
  /** Such as `Button 2`. */
  readonly name: string;
  readonly mostInTitle: number;
  /** The ID that it has unless one is typed. */
  readonly madeId: string;
  /** Null for the last one, which stays. */
  readonly onRemove: (() => void) | null;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <Fieldset legend={name} variant="unstyled" className={classes.choice}>
      <div className={classes.inputs}>
        <CountedInput form={form} field={`${field}.title`} label="Title" most={mostInTitle} />
        <TextInput
          label="ID"
          description={`From the title unless typed. At most ${limits.idBytes} bytes.`}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          placeholder={madeId}
          autoComplete="off"
          {...form.getInputProps(draftName(`${field}.id`))}
        />
        {children}
      </div>
      {onRemove !== null && (
        <ActionIcon
          variant="subtle"
          color="gray"
          className={classes.remove}
          aria-label={`Remove ${name}`}
          onClick={onRemove}
        >
          <TrashIcon size={16} />
        </ActionIcon>
      )}
    </Fieldset>
  );
}
