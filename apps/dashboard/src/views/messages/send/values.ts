import { plainPhone, type Template } from '@notify/core';
import type { ChannelAccount, SendMessage } from '@notify/sdk';
import { ApiProblem } from '../../../api/failure.ts';
import { readMoment } from '../../../parts/time/moment-text.ts';
import { fieldAt, faultsOf } from '../../../parts/template/template-faults.ts';
import { parametersOf } from '../../../parts/template/template-fields.ts';
import { fileFault } from './file-choice.ts';
import { contentOf, type Draft, emptyDraft } from './interactive/draft.ts';
import { draftFaults, draftPlace } from './interactive/draft-faults.ts';
import type { Kind } from './kinds.ts';
import type { MediaType } from './media-types.ts';

/** The template that the dialog opens with. */
export interface Start {
  readonly accountId: string;
  readonly name: string;
  readonly language: string;
}

/** The fields of the form. A type, because an interface has no index signature. */
export type Values = {
  channelAccountId: string;
  to: string;
  /** As somebody types it; empty for now. */
  sendAt: string;
  /** Asked only for an account with quiet hours. */
  urgent: boolean;
  text: string;
  type: MediaType;
  /** Where the file comes from: `file` or `url`. */
  source: 'file' | 'url';
  file: File | null;
  url: string;
  caption: string;
  filename: string;
  /** Buttons or a list. */
  interactive: Draft;
  /** Of the template. */
  name: string;
  language: string;
  /** What fills the template, by the name of its field. */
  filled: Record<string, string>;
};

/** Prefixes the names of the fields that fill a template. */
export const filledName = (field: string): string => `filled.${field}`;

/** The values of an empty form. */
export function valuesAt(channelAccountId: string, start: Start | undefined): Values {
  return {
    channelAccountId,
    to: '',
    sendAt: '',
    urgent: false,
    text: 'Hello from Notify.',
    type: 'image',
    source: 'file',
    file: null,
    url: '',
    caption: '',
    filename: '',
    interactive: emptyDraft,
    name: start?.name ?? '',
    language: start?.language ?? '',
    filled: {},
  };
}

/** What is wrong with the form before it is sent, by the name of the field. `hasButtons`: of the account. `maxFileBytes`: of an upload. */
export function formFaults(
  kind: Kind,
  values: Values,
  template: Template | undefined,
  {
    hasButtons = true,
    maxFileBytes = Infinity,
  }: { readonly hasButtons?: boolean; readonly maxFileBytes?: number } = {},
): Record<string, string> {
  const to: Record<string, string> = values.to.trim() === '' ? { to: 'Enter a recipient.' } : {};
  switch (kind) {
    case 'text':
      return { ...to, ...(values.text === '' ? { text: 'Enter a text.' } : {}) };
    case 'media':
      return { ...to, ...mediaFaults(values, maxFileBytes) };
    case 'interactive':
      return { ...to, ...draftFaults(values.interactive, hasButtons) };
    case 'template':
      if (template === undefined) return { ...to, name: 'Choose a template.' };
      return {
        ...to,
        ...renamed(faultsOf(template, values.filled)),
      };
  }
}

function mediaFaults({ type, source, file, url }: Values, maxFileBytes: number): Record<string, string> {
  if (source === 'url') return /^https?:\/\/./i.test(url) ? {} : { url: 'Enter an http or https URL.' };
  const fault = file === null ? 'Choose a file.' : fileFault(file, type, maxFileBytes);
  return fault === null ? {} : { file: fault };
}

/** The file that the form uploads before it sends; null if it sends none. */
export function fileToUpload(kind: Kind, { source, file }: Values): File | null {
  return kind === 'media' && source === 'file' ? file : null;
}

/** The template that the form names; undefined if there is none. */
export function chosenTemplate(
  templates: readonly Template[],
  { name, language }: Pick<Values, 'name' | 'language'>,
): Template | undefined {
  return templates.find((one) => one.name === name && one.language === language);
}

function renamed(faults: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(faults).map(([field, fault]) => [filledName(field), fault]));
}

/** The request of a filled form. `template` is the chosen one, `fileId` the uploaded file. */
export function requestOf(
  kind: Kind,
  values: Values,
  { id: channelAccountId, channel }: Pick<ChannelAccount, 'id' | 'channel'>,
  { template, fileId = null }: { readonly template: Template | undefined; readonly fileId?: string | null },
): SendMessage {
  const sendAt = readMoment(values.sendAt)?.toISOString();
  const where = {
    channelAccountId,
    channel,
    to: plainPhone(values.to),
    ...(sendAt === undefined ? {} : { sendAt }),
    ...(values.urgent ? { urgent: true } : {}),
  };
  if (kind === 'media') return { ...where, ...mediaOf(values, fileId) };
  if (kind === 'interactive') return { ...where, interactive: contentOf(values.interactive) };
  if (kind === 'text' || template === undefined) return { ...where, text: values.text };
  const { name, language } = template;
  // The schema lists the fields of every kind of header and button together.
  const parameters = parametersOf(template, values.filled) as NonNullable<
    SendMessage['template']
  >['parameters'] &
    object;
  const filled = Object.keys(parameters).length === 0 ? {} : { parameters };
  return { ...where, template: { name, language, ...filled } };
}

function mediaOf({ type, url, caption, filename }: Values, fileId: string | null) {
  return {
    type,
    ...(fileId === null ? { url: url.trim() } : { fileId }),
    ...(type === 'audio' || caption === '' ? {} : { caption }),
    ...(type === 'document' && filename !== '' ? { filename } : {}),
  };
}

const parameters = 'body/template/parameters/';

/** A refusal of the api whose errors are told by the names of the form's fields. Other failures stay as they are. */
export function atFields(failure: unknown, template: Template | undefined, values: Values): unknown {
  if (!(failure instanceof ApiProblem)) return failure;
  return failure.withErrorsAt((at) => {
    if (at.startsWith('body/interactive')) return draftPlace(at, values.interactive);
    if (at === 'body/template' || at === 'body/template/name') return 'body/name';
    if (at === 'body/template/language') return 'body/language';
    if (at === 'body/fileId') return 'body/file';
    if (!at.startsWith(parameters) || template === undefined) return at;
    const steps = at.slice(parameters.length).replaceAll('/', '.');
    const field = fieldAt(steps, template, values.filled);
    return field === null ? at : `body/${filledName(field)}`;
  });
}
