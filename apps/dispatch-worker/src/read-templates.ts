import { setTimeout as delay } from 'node:timers/promises';
import {
  type Adapter,
  baseUrlOf,
  type ProviderHttp,
  type ProviderUrls,
  type TemplateList,
} from '@notify/channels';
import { scrub, type Template } from '@notify/core';
import type { SyncClaim } from '@notify/db/templates';
import { openIfReadable } from '@notify/dispatch';
import type { Log, Secrets } from '@notify/runtime';

/** What reading the templates of an account needs. */
export interface ReadTemplatesDeps {
  readonly log: Log;
  readonly secrets: Secrets;
  readonly http: ProviderHttp;
  /** Provider addresses that the operator configured. */
  readonly providerUrls: ProviderUrls;
}

/** The longest that a provider may take for all templates of one account, in ms. */
export const readDeadlineMs = 60_000;
/** An adapter that ignores its signal may take this much longer, in ms. */
const graceMs = 1_000;
/** An adapter that lists by pages has the same limit. */
const maxTemplates = 10_000;
const maxNameLength = 512;
const maxLanguageLength = 64;
/** Longer than the longest text of a template. */
const maxTextLength = 40_000;

/** The templates of an account, or why they cannot be read. */
export type ReadTemplates =
  | { readonly ok: true; readonly templates: readonly Template[] }
  | { readonly ok: false; readonly failure: string };

/**
 * Reads the templates of an account from its provider. Answers within 61 s, whatever the provider does, and never
 * throws. Texts come back storable, and each name and language once.
 */
export async function readTemplates(
  adapter: Adapter,
  claim: SyncClaim,
  stopping: AbortSignal,
  deps: ReadTemplatesDeps,
): Promise<ReadTemplates> {
  try {
    const opened = openIfReadable(deps, { ...claim, id: claim.accountId });
    if (opened === null) return { ok: false, failure: 'The settings cannot be decrypted. Enter them again.' };
    return checked(await ask(adapter, opened.settings, stopping, deps));
  } catch (error) {
    deps.log.tell('templates-adapter-failed', {
      err: error,
      provider: adapter.id,
      accountId: claim.accountId,
    });
    return { ok: false, failure: 'Reading the templates failed with an unexpected error.' };
  }
}

async function ask(
  adapter: Adapter,
  settings: unknown,
  stopping: AbortSignal,
  { http, providerUrls }: ReadTemplatesDeps,
): Promise<TemplateList> {
  const ended = new AbortController();
  const signal = AbortSignal.any([stopping, ended.signal, AbortSignal.timeout(readDeadlineMs)]);
  const detail = `The provider did not list the templates within ${readDeadlineMs / 1000} seconds.`;
  const tooLate: TemplateList = { kind: 'failed', refused: false, detail };
  const listed = adapter.listTemplates!({
    settings,
    http: http.of(adapter),
    baseUrl: baseUrlOf(adapter, providerUrls),
    signal,
  });
  try {
    const late = AbortSignal.any([ended.signal, stopping]);
    const patience = delay(readDeadlineMs + graceMs, tooLate, { signal: late }).catch(() => tooLate);
    return await Promise.race([listed, patience]);
  } finally {
    listed.catch(() => undefined);
    ended.abort();
  }
}

function checked(list: TemplateList): ReadTemplates {
  if (list.kind === 'failed') return { ok: false, failure: scrub(list.detail, 1_000) };
  const named = new Map<string, Template>();
  for (const template of list.templates) {
    const { name, language } = template;
    // Nobody could send one with a longer name.
    if (name.length > maxNameLength || language.length > maxLanguageLength) continue;
    named.set(JSON.stringify([name, language]), storable(template));
    if (named.size > maxTemplates)
      return { ok: false, failure: `The account has more than ${maxTemplates} templates.` };
  }
  return { ok: true, templates: [...named.values()] };
}

function storable(template: Template): Template {
  return JSON.parse(JSON.stringify(template), (_key, value: unknown) =>
    typeof value === 'string' ? scrub(value, maxTextLength) : value,
  ) as Template;
}
