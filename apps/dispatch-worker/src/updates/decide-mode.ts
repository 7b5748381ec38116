import type { Subscribed, UpdateHook, UpdatesFailed } from '@notify/channels';
import { scrub } from '@notify/core';
import { markVerdict } from '@notify/db/accounts';
import type { Release, UpdateClaim } from '@notify/db/updates';
import { callbacksBelow } from '@notify/dispatch';
import type { UpdatesDeps } from './deps.ts';
import type { Source } from './open.ts';

/** How long a decision holds, in ms: without trouble, with trouble, and after a fault of the network. */
const settledMs = 6 * 3_600_000;
const troubleMs = 15 * 60_000;
const faultMs = 15_000;
const maxDetail = 500;

/**
 * Decides how the updates of an account arrive. They are posted to us where we have an https address, else they are read.
 * Nothing is done about the updates of another program.
 */
export async function decide(source: Source, deps: UpdatesDeps): Promise<Release> {
  const { adapter, claim, account, context } = source;
  if (account === null) return { ...off(null), afterMs: settledMs };
  const hook = hookOf(claim, account.callbackSecret, deps.publicUrl);
  const { updates } = adapter;
  const isWanted = !claim.isRemoved && updates.wanted(account.settings);
  if (!isWanted) {
    // One that was never ours need not be asked about.
    if (claim.mode !== 'webhook') return off(null);
    const ended = await updates.unsubscribe(hook, context);
    return ended.kind === 'failed' && !ended.refused ? failed(source, ended, deps) : off(null);
  }
  if (hook.url === null) return toReading(source, await updates.unsubscribe(hook, context), null, deps);
  const subscribed = await updates.subscribe({ ...hook, url: hook.url }, context);
  switch (subscribed.kind) {
    case 'done': {
      const detail = detailOf(subscribed.detail);
      const afterMs = detail === null ? settledMs : troubleMs;
      return { mode: 'webhook', url: deps.publicUrl, detail, afterMs };
    }
    case 'unreachable': {
      const detail = `Messages are read instead of posted: the provider refuses PUBLIC_URL. ${subscribed.detail}`;
      return toReading(source, await updates.unsubscribe(hook, context), detail, deps);
    }
    case 'taken':
      return { ...off(subscribed.detail), afterMs: troubleMs };
    case 'failed':
      return failed(source, subscribed, deps);
  }
}

/** Once no address is set at the provider, updates can be read. */
function toReading(
  source: Source,
  ended: Subscribed,
  detail: string | null,
  deps: UpdatesDeps,
): Release | Promise<Release> {
  switch (ended.kind) {
    case 'done':
    case 'unreachable':
      return { mode: 'poll', url: null, detail: detailOf(detail), afterMs: 0 };
    case 'taken':
      return { ...off(ended.detail), afterMs: troubleMs };
    case 'failed':
      return failed(source, ended, deps);
  }
}

/** What was decided before stays. Refused settings count as they do when a person asks for a verification. */
export async function failed(
  { claim }: Source,
  { refused, detail: said, afterMs }: UpdatesFailed,
  { db }: Pick<UpdatesDeps, 'db'>,
): Promise<Release> {
  const detail = notReceived(said);
  const { accountId: id, tenantId: tenant_id, provider, settings, mode, url } = claim;
  if (refused)
    await markVerdict(
      db,
      { id, tenant_id, provider, settings },
      { kind: 'refused', detail: scrub(said, maxDetail) },
    );
  return { mode, url, detail, afterMs: Math.max(afterMs ?? 0, refused ? troubleMs : faultMs) };
}

/** The provider's words, where they are shown beside the state of the account, which may be able to send. */
export function notReceived(said: string): string {
  return scrub(`Messages to the account are not received: ${said}`, maxDetail);
}

function off(detail: string | null): Release {
  return { mode: 'off', url: null, detail: detailOf(detail), afterMs: settledMs };
}

function detailOf(detail: string | null): string | null {
  return detail === null ? null : scrub(detail, maxDetail);
}

/** Providers refuse addresses without TLS. */
function hookOf(
  { provider, accountId }: UpdateClaim,
  secret: string,
  publicUrl: string | null,
): Omit<UpdateHook, 'url'> & { readonly url: string | null } {
  const below = callbacksBelow(publicUrl ?? '', provider, accountId);
  const path = callbacksBelow('', provider, accountId);
  return {
    url: below.startsWith('https://') ? `${below}${secret}` : null,
    isOurs: (url) => URL.parse(url)?.pathname.includes(path) ?? false,
  };
}
