import type { Adapter } from '@notify/channels';
import {
  checkTemplate,
  codeMask,
  languageFor,
  type MessageBody,
  type MessageType,
  oneTimeCodesOf,
  type Template,
  type TemplateParameters,
  verificationText,
} from '@notify/core';
import { judgeTemplate } from '../templates/judge-template.ts';

/** What a route sends, with the mask in place of the code. */
export interface Content {
  readonly type: MessageType;
  readonly body: MessageBody;
}

/** The words of a verification. */
export interface Wording {
  readonly locale: string | null;
  readonly brand: string | null;
}

/** The text of a verification. */
export function textContent({ locale, brand }: Wording): Content {
  return { type: 'text', body: { text: verificationText(locale, codeMask, brand) } };
}

/** Whether the provider takes free text only as an answer. Then a code needs a template. */
export function needsTemplate({ capabilities }: Adapter): boolean {
  return capabilities.replyWindowMs !== undefined;
}

/**
 * The authentication template for a locale, of those that are approved and take a code and nothing else. Null without one. Of
 * several in the language, the one whose name comes first.
 */
export function templateContent(approved: readonly Template[], { locale }: Wording): Content | null {
  const usable = approved.filter((template) => isFilledByCode(template));
  const language = languageFor(
    locale,
    usable.map((template) => template.language),
  );
  const template = usable.find((one) => one.language === language);
  if (template === undefined) return null;
  const content = { name: template.name, language: template.language, parameters: parametersOf(template) };
  const known = { accountId: '', provider: '', isFresh: true, templates: [template] };
  const { body } = judgeTemplate({ content, channel: 'whatsapp', known, supported: true });
  return { type: 'template', body };
}

function isFilledByCode(template: Template): boolean {
  return (
    oneTimeCodesOf(template).length > 0 &&
    template.body.variables.length <= 1 &&
    checkTemplate(template, parametersOf(template)).length === 0
  );
}

/** The code in the body, and on each button that copies it. */
function parametersOf(template: Template): TemplateParameters {
  const { named, body } = template;
  const names = body.variables.map(({ name }) => name);
  const filled = named
    ? Object.fromEntries(names.map((name) => [name, codeMask]))
    : names.map(() => codeMask);
  return {
    ...(names.length === 0 ? {} : { body: filled }),
    buttons: oneTimeCodesOf(template).map((index) => ({ index, code: codeMask })),
  };
}
