import {
  scrub,
  type Template,
  type TemplateButton,
  type TemplateCategory,
  type TemplateHeader,
  type TemplateText,
} from '@notify/core';
import { listIn, objectOf, textIn } from '../reading/untrusted.ts';
import { categoryIn } from '../templates/template-category.ts';
import { placeholdersIn, templateText } from '../templates/template-variables.ts';
import { listedStatus } from './template-status.ts';

/** WhatsApp allows ten buttons. */
const maxButtons = 20;

/**
 * A template of Meta's list; null if it has no name, language or status. Components that a send cannot fill, such as
 * carousels, are left out
 * (developers.facebook.com/documentation/business-messaging/whatsapp/templates/components).
 */
export function readTemplate(document: unknown): Template | null {
  const name = textIn(document, 'name', 512);
  const language = textIn(document, 'language', 20);
  const status = textIn(document, 'status', 100);
  if (name === null || language === null || status === null) return null;
  const category = categoryIn(document);
  const components = listIn(document, 'components');
  const body = components.find(isOf('BODY'));
  const buttons = listIn(components.find(isOf('BUTTONS')), 'buttons').slice(0, maxButtons);
  const reason = textIn(document, 'rejected_reason', 500);
  return {
    name,
    language,
    label: null,
    category,
    status: listedStatus(status),
    reason: status === 'APPROVED' ? null : reasonOf(status, reason),
    named: kindOf(document, 'parameter_format') === 'NAMED',
    header: readHeader(components.find(isOf('HEADER'))),
    body: readText(body, 'body_text'),
    footer: textIn(components.find(isOf('FOOTER')), 'text', 200),
    buttons: buttons.map((button) => readButton(button, category)),
  };
}

/** Meta's reason, else its status where it says more than ours. */
function reasonOf(status: string, reason: string | null): string | null {
  if (reason !== null && reason !== 'NONE') return reason;
  return ['PENDING', 'REJECTED', 'PAUSED', 'DISABLED'].includes(status) ? null : scrub(status, 100);
}

function isOf(type: string): (component: unknown) => boolean {
  return (component) => kindOf(component, 'type') === type;
}

/** Meta writes its kinds in capitals, but its examples of requests do not. */
function kindOf(document: unknown, field: string): string {
  return (textIn(document, field, 100) ?? '').toUpperCase();
}

function readHeader(component: unknown): TemplateHeader | null {
  switch (kindOf(component, 'format')) {
    case 'TEXT':
      return { kind: 'text', ...readText(component, 'header_text') };
    case 'IMAGE':
      return { kind: 'image', example: fileExample(component) };
    case 'VIDEO':
      return { kind: 'video', example: fileExample(component) };
    case 'DOCUMENT':
      return { kind: 'document', example: fileExample(component) };
    case 'LOCATION':
      return { kind: 'location' };
    default:
      return null;
  }
}

/** The text of a component and its variables. Its samples are under `samples`, by position, or by name. */
function readText(component: unknown, samples: string): TemplateText {
  const example = objectOf(component)['example'];
  const named = listIn(example, `${samples}_named_params`);
  const [first] = listIn(example, samples);
  const positional = Array.isArray(first) ? first : listIn(example, samples);
  return templateText(textIn(component, 'text') ?? '', (name) => {
    const own = named.find((one) => textIn(one, 'param_name') === name);
    return own === undefined ? sampleOf(positional[Number(name) - 1]) : textIn(own, 'example');
  });
}

function readButton(document: unknown, category: TemplateCategory | null): TemplateButton {
  const text = textIn(document, 'text', 100) ?? '';
  switch (kindOf(document, 'type')) {
    case 'QUICK_REPLY':
      return { kind: 'quick-reply', text };
    case 'COPY_CODE':
      return { kind: 'copy-code', text, example: firstSample(document) };
    case 'OTP':
      return { kind: 'one-time-code', text };
    case 'URL':
      // Meta turns the code button of an authentication template into one that opens an address.
      return category === 'authentication' ? { kind: 'one-time-code', text } : readUrlButton(document, text);
    default:
      return { kind: 'other', text };
  }
}

function readUrlButton(document: unknown, text: string): TemplateButton {
  const url = textIn(document, 'url', 2_048) ?? '';
  const [name] = placeholdersIn(url);
  const variable = name === undefined ? null : { name, example: endOf(firstSample(document), url) };
  return { kind: 'url', text, url, variable };
}

/** What the variable stands for in a sample. Meta's sample is the whole address, of which the variable is the end. */
function endOf(sample: string | null, url: string): string | null {
  const fixed = url.slice(0, url.indexOf('{{'));
  return sample?.startsWith(fixed) === true ? sample.slice(fixed.length) : sample;
}

/** A button's sample, which Meta writes as a text or as a list of one. */
function firstSample(document: unknown): string | null {
  return textIn(document, 'example', 2_048) ?? sampleOf(listIn(document, 'example')[0]);
}

function fileExample(component: unknown): string | null {
  return sampleOf(listIn(objectOf(component)['example'], 'header_handle')[0]);
}

function sampleOf(value: unknown): string | null {
  return typeof value === 'string' ? scrub(value, 2_048) : null;
}
