import { exceededJsonLimit, type Template } from '@notify/core';
import type { HttpRequest, HttpResult } from '@notify/egress';
import type { SendContext, TemplateList } from '../adapter/channel.ts';
import { jsonIn } from '../reading/json.ts';
import type { HttpAnswer } from '../requests/http-outcome.ts';

type Failed = Extract<TemplateList, { kind: 'failed' }>;

/** One page of a provider's list of templates. `next` asks for the page after it; null at the end. */
export interface TemplatePage {
  readonly templates: readonly Template[];
  readonly next: string | null;
}

/** How a provider lists its templates. */
export interface TemplatePages {
  /** The request for the page that `next` of the page before it names; null for the first. */
  request(next: string | null): Pick<HttpRequest, 'method' | 'url' | 'headers'>;
  /** Reads the document of a page; null if it is none. */
  read(document: unknown): TemplatePage | null;
  /** The failure that an answer other than a page stands for. */
  failureOf(result: HttpResult): Failed;
}

/**
 * WhatsApp allows an account 6,000 approved templates (twilio.com/docs/content/content-api-resources). Those that are not
 * approved are listed too.
 */
const maxTemplates = 10_000;
const maxPages = 150;
const maxPageBytes = 4 * 1_048_576;
/** 10,000 templates have about 35 MB. */
const maxBytes = 64 * 1_048_576;
/** One template with everything has about 150 values, a page at most 100 templates. */
const maxPageValues = 50_000;
const maxCursorLength = 2_000;
const maxMs = 60_000;
const callDeadlineMs = 15_000;

/**
 * Reads all pages, or fails as a whole: a part of a list would make the other templates look deleted. Ends within a
 * minute by `now`, 150 pages, 64 MB and 10,000 templates, whatever the provider answers. A template that is listed twice counts once.
 */
export async function listPages(
  pages: TemplatePages,
  { http, signal }: Pick<SendContext<unknown>, 'http' | 'signal'>,
  now: () => number = () => performance.now(),
): Promise<TemplateList> {
  const endsAt = now() + maxMs;
  const found = new Map<string, Template>();
  const asked = new Set<string | null>();
  let next: string | null = null;
  let bytes = 0;
  do {
    if (asked.has(next) || asked.size >= maxPages) return failed('The list of templates has no end.');
    asked.add(next);
    const deadlineMs = Math.min(callDeadlineMs, Math.ceil(endsAt - now()));
    if (deadlineMs <= 0) return failed(`Reading the templates took more than ${maxMs / 1_000} seconds.`);
    const request = { ...pages.request(next), signal, deadlineMs, maxBytes: maxPageBytes };
    const result = await http.request(request);
    if (!result.ok || result.status !== 200) return pages.failureOf(result);
    bytes += result.body.length;
    if (bytes > maxBytes) return failed('The list of templates is too long.');
    const page = readPage(result, pages);
    if ('kind' in page) return page;
    for (const template of page.templates)
      found.set(JSON.stringify([template.name, template.language]), template);
    if (found.size > maxTemplates) return failed(`The account has more than ${maxTemplates} templates.`);
    if ((page.next ?? '').length > maxCursorLength) return failed('The list of templates has no end.');
    next = page.next;
  } while (next !== null);
  return { kind: 'listed', templates: [...found.values()] };
}

function readPage({ body, truncated }: HttpAnswer, pages: TemplatePages): TemplatePage | Failed {
  if (truncated) return failed('A page of the list of templates is too long, or broke off.');
  if (exceededJsonLimit(body, { values: maxPageValues, contentBytes: Infinity }) !== null)
    return failed('A page of the list of templates holds too many values.');
  return pages.read(jsonIn(body)) ?? failed('A page of the list of templates is unreadable.');
}

function failed(detail: string): Failed {
  return { kind: 'failed', refused: false, detail };
}
