import type { Outcome, TemplateBody } from '@notify/core';
import type { SendRequest } from '../adapter/channel.ts';

/** The fields with the content of a message, or the refusal of parameters that no template takes. */
export type ContentFields =
  { readonly fields: Readonly<Record<string, string>> } | { readonly refusal: Outcome };

/** The content of a message: its text, or a template. */
export function contentFields({ text, body }: SendRequest): ContentFields {
  if ('template' in body) return templateFields(body);
  if ('text' in body) return { fields: { Body: text ?? body.text } };
  throw new Error('sms takes texts and templates only; a media message must not get here');
}

/**
 * A template is named by its SID, and its variables are a JSON object of texts
 * (twilio.com/docs/api/errors/21656 and 63028). They fill the whole template, headers and buttons
 * included.
 */
function templateFields({ template }: TemplateBody): ContentFields {
  const { header, body = [], buttons = [] } = template.parameters ?? {};
  if (header !== undefined || buttons.length > 0) return { refusal: surplus };
  const variables: Readonly<Record<string, string>> = Array.isArray(body)
    ? Object.fromEntries(body.map((text: string, index) => [String(index + 1), text]))
    : (body as Readonly<Record<string, string>>);
  const filling = Object.keys(variables).length === 0 ? {} : { ContentVariables: JSON.stringify(variables) };
  return { fields: { ContentSid: template.name, ...filling } };
}

const surplus: Outcome = {
  kind: 'rejected',
  errorCode: 'template-parameters-invalid',
  text: "At Twilio, every variable of a template is one of its body's parameters. Leave out header and buttons.",
};
