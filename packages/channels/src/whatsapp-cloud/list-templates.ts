import type { SendContext, TemplateList } from '../adapter/channel.ts';
import { textAt } from '../reading/pointer.ts';
import { listIn, objectOf } from '../reading/untrusted.ts';
import { listPages, type TemplatePage } from '../templates/list-pages.ts';
import { readTemplate } from './read-template.ts';
import { templatesRequest } from './request.ts';
import type { WhatsappCloudSettings } from './settings.ts';

type Failure = Parameters<typeof listPages>[0]['failureOf'];

const withoutAccount: TemplateList = {
  kind: 'failed',
  refused: false,
  detail: 'Set businessAccountId, the ID of the WhatsApp Business account, to list its templates.',
};

/**
 * Reads the templates of the WhatsApp Business account, which all its numbers share: cursor-paged
 * (developers.facebook.com/documentation/business-messaging/whatsapp/templates/template-management).
 */
export async function listTemplates(
  context: SendContext<WhatsappCloudSettings>,
  failureOf: Failure,
): Promise<TemplateList> {
  const { businessAccountId } = context.settings;
  if (businessAccountId === undefined) return withoutAccount;
  const request = (after: string | null) => templatesRequest(businessAccountId, after, context);
  return listPages({ request, read: readPage, failureOf }, context);
}

/** A page is the last one if it has no `paging.next`, though it may have a cursor. Null if it is none, or names no next. */
function readPage(document: unknown): TemplatePage | null {
  if (!Array.isArray(objectOf(document)['data'])) return null;
  const templates = listIn(document, 'data').flatMap((one) => readTemplate(one) ?? []);
  const isLast = (objectOf(objectOf(document)['paging'])['next'] ?? null) === null;
  const after = textAt(document, '/paging/cursors/after');
  return isLast || after !== null ? { templates, next: isLast ? null : after } : null;
}
