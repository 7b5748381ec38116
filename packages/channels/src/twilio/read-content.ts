import { scrub, type Template, type TemplateButton } from '@notify/core';
import { listIn, objectOf, textIn } from '../reading/untrusted.ts';
import { categoryIn } from '../templates/template-category.ts';
import { isPosition, placeholdersIn, variables } from '../templates/template-variables.ts';
import type { TwilioSettings } from './settings.ts';

/** The types that are sent as SMS and MMS (twilio.com/docs/content/content-types-overview). */
const smsTypes = ['twilio/text', 'twilio/media'];
const authentication = 'whatsapp/authentication';
const maxTypes = 20;
const maxButtons = 20;
const maxNesting = 6;

/**
 * A content of Twilio's list; null if it has no SID or language. Its variables may be anywhere in it and are all filled
 * as the body's, so headers and buttons are listed without any. WhatsApp's approval does not bind SMS: only the type of
 * a content decides whether it can be sent. A Messaging Service may also have RCS senders, which take all of Twilio's
 * own types.
 */
export function readContent(document: unknown, settings: TwilioSettings): Template | null {
  const name = textIn(document, 'sid', 34);
  const language = textIn(document, 'language', 20);
  if (name === null || language === null) return null;
  const types = Object.entries(objectOf(objectOf(document)['types'])).slice(0, maxTypes);
  const names = namesIn(types);
  const samples = objectOf(document)['variables'];
  const isSendable = types.some(
    ([type]) => smsTypes.includes(type) || (settings.messagingServiceSid !== undefined && isOwnType(type)),
  );
  const shown = types.find(([type]) => type === 'twilio/text') ?? types[0];
  return {
    name,
    language,
    label: textIn(document, 'friendly_name', 200),
    category: categoryIn(objectOf(document)['approval_requests']),
    status: isSendable ? 'approved' : 'disabled',
    reason: isSendable ? null : unsendable(types),
    named: !names.every((one, index) => isPosition(one) && Number(one) === index + 1),
    header: null,
    body: { text: textOf(shown?.[1]), variables: variables(names, (one) => textIn(samples, one)) },
    footer: types.map(([, type]) => textIn(type, 'footer', 200)).find((footer) => footer !== null) ?? null,
    buttons: types.flatMap(([, type]) => listIn(type, 'actions').map(readButton)).slice(0, maxButtons),
  };
}

function isOwnType(type: string): boolean {
  return type.startsWith('twilio/');
}

function unsendable(types: readonly (readonly [string, unknown])[]): string {
  const listed = types.map(([type]) => scrub(type, 50)).join(', ');
  return `Twilio does not send ${listed === '' ? 'a content without a type' : listed} as SMS. Add twilio/text to it.`;
}

/** The text of a type: its title, its body and what follows it. */
function textOf(type: unknown): string {
  const parts = ['title', 'header_text', 'body', 'subtitle'].flatMap((name) => textIn(type, name) ?? []);
  return parts.join('\n').slice(0, 4_096);
}

/** The names of all variables. The code of an authentication template is the first, without a text that shows it. */
function namesIn(types: readonly (readonly [string, unknown])[]): readonly string[] {
  const texts = types.flatMap(([, type]) => textsIn(type, maxNesting));
  const code = types.some(([type]) => type === authentication) ? '{{1}}' : '';
  return placeholdersIn([...texts, code].join('\n'));
}

function textsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return [value.slice(0, 4_096)];
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  return Object.values(value).flatMap((child) => textsIn(child, depth - 1));
}

/** A button. Its variables, if it has any, are among those of the body. */
function readButton(action: unknown): TemplateButton {
  const text = textIn(action, 'title', 100) ?? textIn(action, 'copy_code_text', 100) ?? '';
  const url = textIn(action, 'url', 2_048);
  return url === null ? { kind: 'other', text } : { kind: 'url', text, url, variable: null };
}
