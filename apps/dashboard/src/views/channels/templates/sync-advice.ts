import type { Template } from '@notify/core';
import type { ChannelAccount, TemplateSync } from '@notify/sdk';
import type { Advice } from '../account-advice.ts';
import { networkTrouble } from '../network-trouble.ts';

/** After this time, in ms, the api no longer checks sends against the list: the provider decides. */
const outdatedAfterMs = 3_600_000;

type State = Pick<TemplateSync, 'syncedAt' | 'syncError'>;

/** Whether the api accepts sends without checking them against this list. `nowMs`: ms since 1970. */
export function isOutdated({ syncedAt }: Pick<State, 'syncedAt'>, nowMs: number): boolean {
  return syncedAt === null || nowMs - Date.parse(syncedAt) > outdatedAfterMs;
}

/** What lets a provider list its templates. */
const cures: Readonly<Record<string, string>> = {
  'whatsapp-cloud':
    'Check the WhatsApp Business account ID in the settings, and that the token has the permission whatsapp_business_management. Then sync again.',
  twilio: 'Check the Account SID and the auth token in the settings. Then sync again.',
};

const unchecked = 'Until then Notify does not check templates; the provider may refuse them.';

/**
 * Advice about the templates of an account that could not be read or are old; null if they are up to date. `nowMs`: ms
 * since 1970.
 */
export function adviceOnSync(
  state: State,
  { provider, settings }: Pick<ChannelAccount, 'provider' | 'settings'>,
  nowMs: number,
): Advice | null {
  const { syncedAt, syncError } = state;
  // Many accounts need no templates, and this one was never set up to list them.
  if (provider === 'whatsapp-cloud' && settings['businessAccountId'] === undefined)
    return {
      tone: 'hint',
      title: 'Templates are not listed',
      detail: null,
      toDo: 'Enter the WhatsApp Business account ID in the settings to list them here. Until then, Meta alone checks templates that you send.',
    };
  if (syncError !== null)
    return {
      tone: 'problem',
      title: syncedAt === null ? 'Could not read the templates' : 'Last sync failed',
      detail: syncError,
      toDo: [
        cureOf(syncError, provider),
        ...(syncedAt === null ? [] : ['The stored templates are from the last sync that worked.']),
        ...(isOutdated(state, nowMs) ? [unchecked] : []),
      ].join(' '),
    };
  if (syncedAt === null)
    return {
      tone: 'waiting',
      title: 'Not synced yet',
      detail: null,
      toDo: 'Templates are read when an account is connected, and every 15 minutes.',
    };
  if (!isOutdated(state, nowMs)) return null;
  return {
    tone: 'waiting',
    title: 'The templates may be outdated',
    detail: null,
    toDo: `They were read more than an hour ago. Sync now to read them again. ${unchecked}`,
  };
}

/** What is not reached is tried again, and no setting cures it. */
function cureOf(syncError: string, provider: string): string {
  const trouble = networkTrouble(syncError, provider);
  if (trouble !== null) return `${trouble.what} ${trouble.cure} Notify tries again every 15 minutes.`;
  return cures[provider] ?? 'Notify tries again every 15 minutes.';
}

/** Whether the api accepts a send of this template. `nowMs`: ms since 1970. */
export function canSend(
  { status }: Pick<Template, 'status'>,
  list: Pick<State, 'syncedAt'>,
  nowMs: number,
): boolean {
  return status === 'approved' || isOutdated(list, nowMs);
}
