import { allFields, type FieldValues, parametersOf, type TemplateField } from './template-fields.ts';

type Filled = Parameters<typeof parametersOf>[0];

/** What is wrong with the values before they are sent, by the name of the field. */
export function faultsOf(template: Filled, values: FieldValues): Record<string, string> {
  return Object.fromEntries(
    allFields(template).flatMap((field) => {
      const fault = faultOf(field, values[field.name] ?? '');
      return fault === null ? [] : [[field.name, fault] as const];
    }),
  );
}

function faultOf({ kind, isOptional }: TemplateField, value: string): string | null {
  if (value.trim() === '') return isOptional ? null : 'Required';
  switch (kind) {
    case 'latitude':
      return isWithin(value, 90) ? null : 'Enter a number from -90 to 90.';
    case 'longitude':
      return isWithin(value, 180) ? null : 'Enter a number from -180 to 180.';
    case 'url':
      return /^https?:\/\/./i.test(value) ? null : 'Enter an http or https URL.';
    case 'text':
      return null;
  }
}

function isWithin(value: string, limit: number): boolean {
  return Math.abs(Number(value)) <= limit;
}

/**
 * The field for an error of the api, given where in `parameters` it is (`body.0`, `buttons.1.text`). An error of a whole
 * part belongs to its first field. Null if the template has no field for it.
 */
export function fieldAt(at: string, template: Filled, values: FieldValues): string | null {
  const names = allFields(template).map(({ name }) => name);
  const wanted = ownName(at.split('.'), template, values);
  return names.find((name) => name === wanted) ?? names.find((name) => name.startsWith(`${wanted}.`)) ?? null;
}

/** The api counts places in the arrays that were sent; fields are named after variables and buttons. */
function ownName(steps: readonly string[], template: Filled, values: FieldValues): string {
  const [part, step, ...rest] = steps;
  if (step === undefined) return part ?? '';
  if (part === 'body') return `body.${template.named ? step : Number(step) + 1}`;
  if (part !== 'buttons') return steps.join('.');
  const index = parametersOf(template, values).buttons?.[Number(step)]?.index ?? step;
  return ['buttons', String(index), ...rest.filter((name) => name !== 'index')].join('.');
}
