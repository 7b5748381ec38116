import { codePoints } from '../text/text.ts';
import type { ButtonParameter, TemplateButton, TemplateFault } from './template.ts';

/** The field of a button's parameter. */
type Field = 'payload' | 'text' | 'code';

/**
 * The longest code, in characters, of an authentication or coupon template.
 * https://developers.facebook.com/docs/whatsapp/business-management-api/authentication-templates
 */
const maxCode = 15;
/**
 * The longest address of a button, in characters.
 * https://developers.facebook.com/docs/whatsapp/business-management-api/message-templates/components
 */
const maxUrl = 2000;

/**
 * Checks the parameters of buttons. Addresses with a variable and codes must be given. A quick reply may go without a
 * payload.
 */
export function checkButtons(
  buttons: readonly TemplateButton[],
  given: readonly ButtonParameter[],
): TemplateFault[] {
  const known = new Set(given.map(({ index }) => index));
  return [
    ...given.flatMap((parameter, at) => checkButton(buttons, given, parameter, at)),
    ...buttons.flatMap((button, index) => {
      const { field, required } = wantedField(button);
      if (!required || known.has(index)) return [];
      return [{ at: '/buttons', message: `must have ${a(field!)} for button ${index}, “${button.text}”` }];
    }),
  ];
}

/** The field that a button takes, and whether it must be there. */
export function wantedField(button: TemplateButton): {
  readonly field: Field | null;
  readonly required: boolean;
} {
  switch (button.kind) {
    case 'quick-reply':
      return { field: 'payload', required: false };
    case 'url':
      return button.variable === null ? { field: null, required: false } : { field: 'text', required: true };
    case 'copy-code':
    case 'one-time-code':
      return { field: 'code', required: true };
    case 'other':
      return { field: null, required: false };
  }
}

function checkButton(
  buttons: readonly TemplateButton[],
  given: readonly ButtonParameter[],
  parameter: ButtonParameter,
  position: number,
): TemplateFault[] {
  const at = `/buttons/${position}`;
  const button = buttons[parameter.index];
  if (button === undefined)
    return [{ at: `${at}/index`, message: `is surplus: the template has ${count(buttons.length)}` }];
  if (given.findIndex(({ index }) => index === parameter.index) < position)
    return [{ at: `${at}/index`, message: `is surplus: button ${parameter.index} has a parameter already` }];
  const { field } = wantedField(button);
  const name = fieldOf(parameter);
  if (field === null) return [{ at, message: `is surplus: button ${parameter.index} takes none` }];
  if (name !== field)
    return [{ at: `${at}/${name}`, message: `must be ${a(field)} for button ${parameter.index}` }];
  return checkText(`${at}/${name}`, button, valueOf(parameter));
}

function checkText(at: string, button: TemplateButton, value: string): TemplateFault[] {
  if (value.trim() === '') return [{ at, message: 'must not be empty' }];
  if (button.kind === 'copy-code' || button.kind === 'one-time-code')
    return codePoints(value) > maxCode ? [{ at, message: `must have at most ${maxCode} characters` }] : [];
  if (button.kind !== 'url') return [];
  const length = codePoints(button.url.replace(/\{\{[^{}]*\}\}/, () => value));
  const message = `makes an address of ${length} characters; ${maxUrl} are allowed`;
  return length > maxUrl ? [{ at, message }] : [];
}

function fieldOf(parameter: ButtonParameter): Field {
  if ('payload' in parameter) return 'payload';
  return 'text' in parameter ? 'text' : 'code';
}

function valueOf(parameter: ButtonParameter): string {
  if ('payload' in parameter) return parameter.payload;
  return 'text' in parameter ? parameter.text : parameter.code;
}

function a(field: Field): string {
  return `a ${field}`;
}

function count(buttons: number): string {
  return buttons === 1 ? 'one button' : `${buttons === 0 ? 'no' : buttons} buttons`;
}
