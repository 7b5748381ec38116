import type { Template } from '@notify/core';
import { Button, Fieldset, Group, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { allFields, fieldsOf, type TemplateField } from '../../../parts/template/template-fields.ts';
import classes from './send.module.css';
import { filledName, type Values } from './values.ts';

const legends = { header: 'Header', body: 'Body', buttons: 'Buttons' } as const;

/** One input for each place that the template leaves open, with its sample as the placeholder. */
export function FieldGroups({
  form,
  template,
}: {
  readonly form: UseFormReturnType<Values>;
  readonly template: Template;
}): ReactNode {
  const groups = fieldsOf(template);
  return (
    <>
      <FillSamples form={form} template={template} />
      {(['header', 'body', 'buttons'] as const).map(
        (part) =>
          groups[part].length > 0 && (
            <Fieldset key={part} legend={legends[part]} variant="unstyled" className={classes.group}>
              <Stack gap="sm">
                {groups[part].map((field) => (
                  <FieldInput key={field.name} form={form} field={field} />
                ))}
              </Stack>
            </Fieldset>
          ),
      )}
    </>
  );
}

function FieldInput({
  form,
  field: { name, label, hint, sample, kind, isOptional },
}: {
  readonly form: UseFormReturnType<Values>;
  readonly field: TemplateField;
}): ReactNode {
  const { filled } = form.values;
  const at = filledName(name);
  // Mantine takes the dots of a name for nested values, so only the place and the error come from there.
  const { error, ...props } = form.getInputProps(at) as { error?: ReactNode; 'data-path'?: string };
  const description = [isOptional ? 'Optional.' : '', hint ?? ''].filter((one) => one !== '').join(' ');
  return (
    <TextInput
      label={label}
      {...(description === '' ? {} : { description })}
      {...(sample === null ? {} : { placeholder: sample })}
      {...(kind === 'text' ? {} : { inputMode: kind === 'url' ? 'url' : 'text' })}
      data-path={props['data-path']}
      error={error}
      value={filled[name] ?? ''}
      onChange={({ currentTarget: { value } }) => {
        form.setFieldValue('filled', { ...filled, [name]: value });
        form.clearFieldError(at);
      }}
    />
  );
}

/** Fills the empty fields with their samples. */
function FillSamples({
  form,
  template,
}: {
  readonly form: UseFormReturnType<Values>;
  readonly template: Template;
}): ReactNode {
  const samples = allFields(template).flatMap(({ name, sample }) =>
    sample === null ? [] : [[name, sample] as const],
  );
  if (samples.length === 0) return null;
  const fill = (): void => {
    const given = Object.entries(form.values.filled).filter(([, value]) => value !== '');
    form.setFieldValue('filled', { ...Object.fromEntries(samples), ...Object.fromEntries(given) });
    for (const [name] of samples) form.clearFieldError(filledName(name));
  };
  return (
    <Group>
      <Button variant="default" size="xs" onClick={fill}>
        Use sample values
      </Button>
    </Group>
  );
}
