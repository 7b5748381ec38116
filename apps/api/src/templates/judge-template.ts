import type { ProblemCode } from '@notify/contract';
import {
  type Channel,
  checkTemplate,
  headerVariableOf,
  oneTimeCodesOf,
  renderTemplate,
  type Template,
  type TemplateBody,
  type TemplateContent,
  type TemplateFault,
} from '@notify/core';
import type { TemplatesOfAccount } from '@notify/db/templates';

/** Why a template cannot be sent. */
export interface TemplateRefusal {
  readonly code: Extract<ProblemCode, `template-${string}`>;
  readonly detail?: string;
  readonly faults: readonly TemplateFault[];
}

/** The body of the message, and why it may not be sent, if so. */
export interface TemplateJudgement {
  readonly body: TemplateBody;
  readonly refusal: TemplateRefusal | null;
}

/** A template to send, and what is known of the account that it would be sent from. */
export interface TemplateCase {
  readonly content: TemplateContent;
  readonly channel: Channel;
  /** Null if there is no such account. Then the send is refused elsewhere. */
  readonly known: TemplatesOfAccount | null;
  /** Whether the provider of the account has templates. */
  readonly supported: boolean;
}

/**
 * Judges a template by what is stored. If the templates of the account were not read within the last hour, nothing is
 * refused: the provider decides.
 */
export function judgeTemplate({ content, channel, known, supported }: TemplateCase): TemplateJudgement {
  const asked = { template: content };
  if (known === null) return { body: asked, refusal: null };
  if (!supported) return { body: asked, refusal: { code: 'template-not-supported', faults: [] } };
  const template = known.templates.find(({ language }) => language === content.language);
  const faults = template === undefined ? [] : checkTemplate(template, content.parameters ?? {}, channel);
  const body = template === undefined || faults.length > 0 ? asked : bodyOf(template, content);
  return { body, refusal: known.isFresh ? refusalOf(content, template, known.templates, faults) : null };
}

function refusalOf(
  content: TemplateContent,
  template: Template | undefined,
  versions: readonly Template[],
  faults: readonly TemplateFault[],
): TemplateRefusal | null {
  if (template === undefined)
    return { code: 'template-not-found', detail: absenceOf(content, versions), faults: [] };
  if (template.status !== 'approved')
    return { code: 'template-not-approved', detail: statusOf(template), faults: [] };
  return faults.length === 0 ? null : { code: 'template-parameters-invalid', faults };
}

const maxLanguages = 20;

function absenceOf({ name, language }: TemplateContent, versions: readonly Template[]): string {
  if (versions.length === 0) return `The account has no template ${name}.`;
  const known = versions.slice(0, maxLanguages).map((one) => one.language);
  return `The template ${name} has no version in ${language}. It has ${known.join(', ')}.`;
}

function statusOf({ status, reason }: Template): string {
  return reason === null ? `Its status is ${status}.` : `Its status is ${status}: ${reason}`;
}

function bodyOf(template: Template, content: TemplateContent): TemplateBody {
  const oneTimeCodes = oneTimeCodesOf(template);
  const headerVariable = headerVariableOf(template);
  return {
    template: content,
    text: renderTemplate(template, content.parameters ?? {}),
    ...(oneTimeCodes.length === 0 ? {} : { oneTimeCodes }),
    ...(headerVariable === null ? {} : { headerVariable }),
  };
}
