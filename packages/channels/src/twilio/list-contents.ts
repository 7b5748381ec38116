import type { HttpRequest, HttpResult } from '@notify/egress';
import type { SendContext, TemplateList } from '../adapter/channel.ts';
import { listIn, objectOf } from '../reading/untrusted.ts';
import { notVerified, notVerifiedBy, outcomeOfFailure, redact } from '../requests/http-outcome.ts';
import { listPages, type TemplatePage } from '../templates/list-pages.ts';
import { errorText } from './answer.ts';
import { readContent } from './read-content.ts';
import { authorization, secretsOf } from './request.ts';
import type { TwilioSettings } from './settings.ts';

const pageSize = 100;

/**
 * Reads the contents of the account with their approvals, page by page
 * (twilio.com/docs/content/content-api-resources#fetch-content-and-approval-status).
 */
export function listContents(context: SendContext<TwilioSettings>): Promise<TemplateList> {
  const { settings, baseUrl } = context;
  const secrets = secretsOf(settings, null);
  return listPages(
    {
      request: (next) => pageRequest(next, baseUrl, settings),
      read: (document) => readPage(document, settings),
      failureOf: (result) => ({ kind: 'failed', ...refusalOf(result, secrets) }),
    },
    context,
  );
}

/** Takes only the position from the address of the next page, so that credentials go nowhere else. */
function pageRequest(
  next: string | null,
  baseUrl: string,
  settings: TwilioSettings,
): Pick<HttpRequest, 'method' | 'url' | 'headers'> {
  const query = new URLSearchParams({ PageSize: String(pageSize) });
  const position = next === null ? null : (URL.parse(next)?.searchParams ?? null);
  for (const name of ['Page', 'PageToken']) {
    const value = position?.get(name) ?? null;
    if (value !== null) query.set(name, value);
  }
  const url = `${contentUrl(baseUrl)}/v1/ContentAndApprovals?${query.toString()}`;
  return { method: 'GET', url, headers: authorization(settings) };
}

/**
 * Contents have their own host: `content.` in place of `api.`, also in Twilio's regions. Another address, which
 * the operator has set, stands for both hosts, because their paths differ.
 */
export function contentUrl(baseUrl: string): string {
  return baseUrl.replace(/^https:\/\/api\.((?:[a-z0-9-]{1,63}\.){0,3}twilio\.com)$/, 'https://content.$1');
}

/** Null if the document is no page, or does not tell whether another one follows. */
function readPage(document: unknown, settings: TwilioSettings): TemplatePage | null {
  if (!Array.isArray(objectOf(document)['contents'])) return null;
  const templates = listIn(document, 'contents').flatMap((one) => readContent(one, settings) ?? []);
  const next = objectOf(objectOf(document)['meta'])['next_page_url'];
  return next === null || typeof next === 'string' ? { templates, next } : null;
}

function refusalOf(result: HttpResult, secrets: readonly string[]): { refused: boolean; detail: string } {
  const { refused, detail } = result.ok
    ? notVerifiedBy(result, errorText(result, secrets))
    : notVerified(outcomeOfFailure({ ...result, text: redact(result.text, secrets) }));
  return { refused, detail };
}
