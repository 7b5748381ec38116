import { type Adapter, noButtonsText, sendsButtons } from '@notify/channels';
import type { InteractiveContent } from '@notify/contract';
import { type Channel, type InteractiveBody, numberedText } from '@notify/core';
import { invalidRequest, Problem } from '../problems/problem.ts';
import type { ItemSender } from '../sending/key-sender.ts';
import { type Send, type SendItem, toAcceptItem } from '../sending/send.ts';
import { type KnownTemplates, providerOf } from '../templates/known-templates.ts';
import { inFixedOrder } from './content.ts';
import { judgeInteractive } from './judge-interactive.ts';

/** What `interactiveItem` needs. */
export interface InteractiveNeeds {
  readonly adapters: ReadonlyMap<string, Adapter>;
  readonly templates: KnownTemplates;
}

/** A send of buttons or a list, checked against its schema. */
export interface InteractiveSend extends Omit<Send, 'type' | 'body'> {
  readonly interactive: InteractiveContent;
}

/** How the item is sent: in a bulk call or alone, and where its content is in the request. */
export interface InteractivePlace {
  readonly bulk: boolean;
  readonly at: string;
}

/**
 * The item for the group commit. Throws the Problem of a content that breaks a limit. If the account cannot send buttons and the
 * content has no fallback, that is noted on the item and decided with the commit, so that a revoked key and a repeated request
 * come first.
 */
export async function interactiveItem(
  sender: ItemSender,
  channel: Channel,
  { interactive: given, ...send }: InteractiveSend,
  { bulk, at }: InteractivePlace,
  deps: InteractiveNeeds,
): Promise<SendItem> {
  const faults = judgeInteractive(given, channel, at);
  if (faults.length > 0) throw invalidRequest(...faults);
  const interactive = inFixedOrder(given);
  const body: InteractiveBody = { interactive };
  const asked = toAcceptItem(sender, channel, { ...send, type: 'interactive', body, compared: body }, bulk);
  if (asked.preFailed !== undefined) return asked;
  const { tenantId, accountId } = asked;
  // The commit refuses an account that the key is not for, so what it can must not show.
  const isOwn = sender.accountIds?.includes(accountId ?? '') ?? true;
  const provider = isOwn ? await providerOf(deps.templates, { tenantId, channel, accountId }) : null;
  const adapter = provider === null ? undefined : deps.adapters.get(provider);
  if (provider === null || (adapter !== undefined && sendsButtons(adapter, channel))) return asked;
  if (interactive.fallback === 'numbered')
    return { ...asked, body: { interactive, text: numberedText(interactive) } };
  const errors = [{ at, message: refusal }];
  const problem = new Problem('interactive-not-supported', { errors });
  return { ...asked, preFailed: { errorCode: problem.code, text: noButtonsText }, problem };
}

const refusal = 'cannot be sent from this account, unless it has the fallback numbered';
