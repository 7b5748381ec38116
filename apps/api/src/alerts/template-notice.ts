import type { Channel, Template, TemplateContent } from '@notify/core';
import type { TemplatesOfAccount } from '@notify/db/templates';
import { invalidRequest, Problem } from '../problems/problem.ts';
import type { ItemSender } from '../sending/key-sender.ts';
import type { SendItem } from '../sending/send.ts';
import { knownTemplates } from '../templates/known-templates.ts';
import { templateItem, type TemplateNeeds } from '../templates/template-item.ts';
import { alertParameters } from './alert-template.ts';
import type { Described } from './describe.ts';

interface TemplateNotice {
  readonly to: string;
  readonly channelAccountId?: string;
  readonly urgent?: boolean;
  /** The template. Without a language it is the one that the template has. */
  readonly name: string;
  readonly language: string | undefined;
  readonly described: Described;
}

/** The item of a notification by a template. Whether it can be sent is decided with the commit, as for every template. */
export async function templateNotice(
  sender: ItemSender,
  channel: Channel,
  { name, language, described, ...send }: TemplateNotice,
  deps: TemplateNeeds,
): Promise<SendItem> {
  const known = await knownTo(sender, channel, name, send.channelAccountId, deps);
  const template = chosen(known?.templates ?? [], name, language);
  const content: TemplateContent =
    template === undefined
      ? { name, language: language ?? unknownLanguage }
      : { name, language: template.language, parameters: alertParameters(template, described, channel) };
  const place = { bulk: false, at: 'query/template' };
  const item = await templateItem(sender, channel, { ...send, template: content }, place, deps);
  // What fills a template is decided by its variables, so nothing can be sent of one that was never read.
  return known === null || template !== undefined || item.preFailed !== undefined
    ? item
    : { ...item, ...notRead };
}

const unknownLanguage = 'en';

const notRead = {
  preFailed: { errorCode: 'template-not-found', text: 'The account has no such template.' },
  problem: new Problem('template-not-found', {
    detail: 'The account has no template with this name and language, as far as its templates were read.',
  }),
} as const;

/** The stored templates of the account that the send would use. Null without one, or if the key is not for it: then the commit refuses. */
async function knownTo(
  { tenantId, accountIds, ownAccountId }: ItemSender,
  channel: Channel,
  name: string,
  asked: string | undefined,
  { templates }: TemplateNeeds,
): Promise<TemplatesOfAccount | null> {
  const accountId = asked?.toLowerCase() ?? ownAccountId ?? null;
  const isOwn = accountIds?.includes(accountId ?? '') ?? true;
  return isOwn ? knownTemplates(templates, { tenantId, channel, accountId, name }) : null;
}

/** The version in the language; without one the only version, or the only one that is approved. Throws the 422 if there are several. */
function chosen(
  versions: readonly Template[],
  name: string,
  language: string | undefined,
): Template | undefined {
  if (language !== undefined) return versions.find((one) => one.language === language);
  const approved = versions.filter(({ status }) => status === 'approved');
  const [first, ...others] = approved.length === 0 ? versions : approved;
  if (others.length === 0) return first;
  const languages = [first, ...others].map((one) => one!.language).slice(0, 20);
  throw invalidRequest({
    at: 'query/language',
    message: `is required: the template ${name} has ${languages.join(', ')}`,
  });
}
