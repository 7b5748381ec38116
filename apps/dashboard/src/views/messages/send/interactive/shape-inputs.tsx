import { Button, Fieldset, Group, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { interactiveLimits as limits } from '@notify/core';
import type { ReactNode } from 'react';
import { PlusIcon } from '../../../../parts/icons.tsx';
import type { Values } from '../values.ts';
import { ChoiceInputs } from './choice-inputs.tsx';
import { CountedInput } from './counted-input.tsx';
import { draftName, emptyChoice, emptyRow, emptySection, rowsOf, takesRow } from './draft.ts';
import { idsOf } from './ids.ts';
import classes from './interactive.module.css';
import { rowsIn } from './rows-in.ts';

interface Props {
  readonly form: UseFormReturnType<Values>;
}

/** Up to three buttons whose press comes back. */
export function ButtonInputs({ form }: Props): ReactNode {
  const { buttons } = form.values.interactive;
  const ids = idsOf(buttons);
  const { add, remove } = rowsIn(form, 'buttons', buttons.length, 'title');
  return (
    <>
      {buttons.map((_, index) => (
        <ChoiceInputs
          key={index}
          form={form}
          field={`buttons.${index}`}
          name={`Button ${index + 1}`}
          mostInTitle={limits.buttonTitle}
          madeId={ids[index]!}
          onRemove={buttons.length === 1 ? null : () => remove(index)}
        />
      ))}
      {buttons.length < limits.buttons && <Add onClick={() => add(emptyChoice)}>Add a button</Add>}
    </>
  );
}

/** A button that opens an address. */
export function LinkInputs({ form }: Props): ReactNode {
  return (
    <>
      <CountedInput form={form} field="link.title" label="Title" most={limits.buttonTitle} />
      <TextInput
        label="URL"
        description="The http or https address that the button opens. Nothing comes back."
        inputMode="url"
        {...form.getInputProps(draftName('link.url'))}
      />
    </>
  );
}

/** A list of sections that a button opens. */
export function ListInputs({ form }: Props): ReactNode {
  const { interactive } = form.values;
  const { sections } = interactive.list;
  const { add, remove } = rowsIn(form, 'list.sections', sections.length, 'title');
  return (
    <>
      <CountedInput
        form={form}
        field="list.button"
        label="Button that opens the list"
        most={limits.buttonTitle}
      />
      {sections.map((_, place) => (
        <SectionInputs
          key={place}
          form={form}
          place={place}
          onRemove={sections.length === 1 ? null : () => remove(place)}
        />
      ))}
      {takesRow(interactive) && <Add onClick={() => add(emptySection)}>Add a section</Add>}
    </>
  );
}

function SectionInputs({
  form,
  place,
  onRemove,
}: Props & { readonly place: number; readonly onRemove: (() => void) | null }): ReactNode {
  const { interactive } = form.values;
  const { sections } = interactive.list;
  const { rows } = sections[place]!;
  const field = `list.sections.${place}`;
  const before = rowsOf({ list: { button: '', sections: sections.slice(0, place) } }).length;
  const ids = idsOf(rowsOf(interactive));
  const { add, remove } = rowsIn(form, `${field}.rows`, rows.length, 'title');
  return (
    <Fieldset legend={`Section ${place + 1}`} className={classes.section}>
      <Stack gap="sm">
        <CountedInput
          form={form}
          field={`${field}.title`}
          label="Section title"
          most={limits.sectionTitle}
          {...(sections.length === 1 ? { note: 'Optional.' } : {})}
        />
        {rows.map((_row, index) => (
          <RowInputs
            key={index}
            form={form}
            field={`${field}.rows.${index}`}
            number={before + index + 1}
            madeId={ids[before + index]!}
            onRemove={rows.length === 1 ? null : () => remove(index)}
          />
        ))}
        <Group gap="xs">
          {takesRow(interactive) && (
            <Add onClick={() => add(emptyRow)}>{`Add a row to section ${place + 1}`}</Add>
          )}
          {onRemove !== null && (
            <Button variant="subtle" color="gray" size="compact-sm" onClick={onRemove}>
              {`Remove section ${place + 1}`}
            </Button>
          )}
        </Group>
      </Stack>
    </Fieldset>
  );
}

function RowInputs({
  form,
  field,
  number,
  madeId,
  onRemove,
}: Props & {
  readonly field: string;
  /** Its place in the list, from 1. */
  readonly number: number;
  readonly madeId: string;
  readonly onRemove: (() => void) | null;
}): ReactNode {
  return (
    <ChoiceInputs
      form={form}
      field={field}
      name={`Row ${number}`}
      mostInTitle={limits.rowTitle}
      madeId={madeId}
      onRemove={onRemove}
    >
      <div className={classes.wide}>
        <CountedInput
          form={form}
          field={`${field}.description`}
          label="Description"
          most={limits.description}
          note="Optional."
        />
      </div>
    </ChoiceInputs>
  );
}

function Add({ onClick, children }: { readonly onClick: () => void; readonly children: string }): ReactNode {
  return (
    <Group>
      <Button variant="default" size="compact-sm" leftSection={<PlusIcon size={14} />} onClick={onClick}>
        {children}
      </Button>
    </Group>
  );
}
