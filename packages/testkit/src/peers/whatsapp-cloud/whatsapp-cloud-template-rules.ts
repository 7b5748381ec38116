import { CloudError } from './whatsapp-cloud-errors.ts';
import type { SentParameter, SentTemplate } from './whatsapp-cloud-template-schema.ts';
import type { CloudButton, CloudComponent, CloudTemplate } from './whatsapp-cloud-templates.ts';

/** The longest body and text header once filled. */
const maxFilled = { body: 1_024, header: 60 };

/**
 * Refuses a template as Meta does: unknown, not sendable, or with parameters that do not fit
 * (developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes). Meta words `details` more
 * precisely than that page; the words here follow answers quoted in public.
 */
export function judgeTemplate(sent: SentTemplate, templates: readonly CloudTemplate[]): void {
  const template = sendable(sent, templates);
  const parts = sent.components ?? [];
  for (const { parameters } of parts) parameters.forEach(judgeText);
  const named = template.parameter_format === 'NAMED';
  const componentOf = (type: CloudComponent['type']) => template.components.find((one) => one.type === type);
  const parametersOf = (type: string) =>
    parts.filter((one) => one.type === type).flatMap((one) => one.parameters);
  judgeHeader(componentOf('HEADER'), parametersOf('header'), named);
  judgeWords('body', componentOf('BODY')?.text ?? '', parametersOf('body'), named);
  judgeButtons(componentOf('BUTTONS')?.buttons ?? [], parts);
}

function sendable(
  { name, language: { code } }: SentTemplate,
  templates: readonly CloudTemplate[],
): CloudTemplate {
  const found = templates.find((one) => one.name === name && one.language === code);
  if (found?.status === 'PAUSED') throw new CloudError(132015, 'Template is paused due to low quality');
  if (found?.status === 'DISABLED') throw new CloudError(132016, 'Template is disabled due to low quality');
  if (found?.status !== 'APPROVED')
    throw new CloudError(132001, `template name (${name}) does not exist in ${code}`);
  return found;
}

function judgeText({ text, coupon_code: coupon }: SentParameter): void {
  if (text !== undefined && /[\n\r\t]| {5}/.test(text)) {
    const details = 'Param text cannot have new-line/tab characters or more than 4 consecutive spaces';
    throw new CloudError(132018, details);
  }
  if (coupon !== undefined && !/^[0-9A-Za-z]+$/.test(coupon))
    throw new CloudError(132012, 'The coupon code may hold letters and digits only');
}

function judgeHeader(
  header: CloudComponent | undefined,
  given: readonly SentParameter[],
  named: boolean,
): void {
  const { format = 'TEXT', text = '' } = header ?? {};
  if (format === 'TEXT' && given.every(({ type }) => type === 'text')) {
    judgeWords('header', text, given, named);
    return;
  }
  const received = given[0]?.type.toUpperCase() ?? 'UNKNOWN';
  if (received !== format)
    throw new CloudError(132012, `header: Format mismatch, expected ${format}, received ${received}`);
}

/** Judges the parameters of a text by number, then by name, then by the length that they lead to. */
function judgeWords(
  where: 'header' | 'body',
  text: string,
  given: readonly SentParameter[],
  named: boolean,
): void {
  const wanted = [...new Set(Array.from(text.matchAll(/\{\{(\w+)\}\}/g), ([, name = '']) => name))];
  if (given.length !== wanted.length) throw numberMismatch(where, given.length, wanted.length);
  if (named && given.some((one) => one.parameter_name === undefined))
    throw new CloudError(100, 'Parameter name is missing or empty');
  if (!named && given.some((one) => one.parameter_name !== undefined))
    throw new CloudError(100, 'Parameter name is given for a positional parameter');
  const valueOf = (name: string) =>
    named ? given.find((one) => one.parameter_name === name)?.text : given[Number(name) - 1]?.text;
  const missing = wanted.find((name) => valueOf(name) === undefined);
  if (missing !== undefined) throw new CloudError(132012, `${where}: there is no parameter ${missing}`);
  const filled = text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => valueOf(name) ?? '');
  if (filled.length > maxFilled[where]) throw new CloudError(132005, `${where}: Translated text too long`);
}

/** Dynamic addresses and codes want their parameter; a quick reply may have one, other buttons have none. */
function judgeButtons(buttons: readonly CloudButton[], parts: NonNullable<SentTemplate['components']>): void {
  const given = new Map(
    parts.filter((one) => one.type === 'button').map((one) => [Number(one.index), one.sub_type]),
  );
  for (const [index, subType] of given) {
    const expected = subTypeOf(buttons[index]);
    if (expected !== subType)
      throw new CloudError(
        132012,
        `buttons: Button at index ${index} is of type ${expected}, not ${subType}`,
      );
  }
  for (const [index, button] of buttons.entries()) {
    const subType = subTypeOf(button);
    if ((subType === 'url' || subType === 'copy_code') && !given.has(index))
      throw new CloudError(
        131008,
        `buttons: Button at index ${index} of type ${button.type} requires a parameter`,
      );
  }
}

/** The sub type of a button's parameter; `none` if it takes no parameter. */
function subTypeOf(button: CloudButton | undefined): 'quick_reply' | 'url' | 'copy_code' | 'none' {
  if (button?.type === 'QUICK_REPLY') return 'quick_reply';
  if (button?.type === 'COPY_CODE') return 'copy_code';
  return button?.type === 'URL' && button.url?.includes('{{') === true ? 'url' : 'none';
}

function numberMismatch(where: string, given: number, wanted: number): CloudError {
  const details = `${where}: number of localizable_params (${given}) does not match the expected number of params (${wanted})`;
  return new CloudError(132000, details);
}
