import type { Template, TemplateParameters, TemplateText } from './template.ts';

/** Looks up the value for a variable. Undefined if there is none. */
export type TemplateValues = (name: string) => string | undefined;

/** The form of a variable in a text, at Meta as at Twilio. */
const variable = /\{\{\s*([^{}]+?)\s*\}\}/g;

/**
 * A text with its variables filled, in one pass, so braces within a value stay. Places that are no variable of the text,
 * and variables without a value, stay as they are.
 */
export function fillText({ text, variables }: TemplateText, valueOf: TemplateValues): string {
  if (variables.length === 0) return text;
  return text.replace(variable, (place: string, name: string) =>
    variables.some((one) => one.name === name) ? (valueOf(name) ?? place) : place,
  );
}

/** The length of the filled text in UTF-16 code units, counted without building it. */
export function filledLength({ text, variables }: TemplateText, valueOf: TemplateValues): number {
  let length = text.length;
  for (const [place, name] of text.matchAll(variable))
    if (variables.some((one) => one.name === name)) length += (valueOf(name!) ?? place).length - place.length;
  return length;
}

/** The values of a body: the first item of an array fills the variable `1`. */
export function bodyValues(body: TemplateParameters['body']): TemplateValues {
  if (body === undefined) return () => undefined;
  return isPositional(body)
    ? (name) => body[Number(name) - 1]
    : (name) => (Object.hasOwn(body, name) ? body[name] : undefined);
}

export function isPositional(body: NonNullable<TemplateParameters['body']>): body is readonly string[] {
  return Array.isArray(body);
}

/** The text of a header as the recipient reads it. Null if the header is a file or a place, or if there is none. */
export function renderHeader({ header }: Template, { header: given }: TemplateParameters): string | null {
  if (header?.kind !== 'text') return null;
  return fillText(header, headerValues(given));
}

/** The value of a header, which fills each of its variables. */
export function headerValues(header: TemplateParameters['header']): TemplateValues {
  const value = header !== undefined && 'text' in header ? header.text : undefined;
  return () => value;
}

/**
 * The text as the recipient reads it: header, body and footer, with a line break between them. Buttons and files are
 * left out. The parameters must have passed `checkTemplate`; otherwise variables without a value stay.
 */
export function renderTemplate(template: Template, parameters: TemplateParameters): string {
  const body = fillText(template.body, bodyValues(parameters.body));
  const parts = [renderHeader(template, parameters), body, template.footer];
  return parts.filter((part) => part !== null && part !== '').join('\n');
}

/** The indexes of the buttons that carry a one-time code. */
export function oneTimeCodesOf({ buttons }: Template): number[] {
  return buttons.flatMap(({ kind }, index) => (kind === 'one-time-code' ? [index] : []));
}

/** The name of the header's variable, if the template's variables are named. A send gives its value without the name. */
export function headerVariableOf({ named, header }: Template): string | null {
  return named && header?.kind === 'text' ? (header.variables[0]?.name ?? null) : null;
}
