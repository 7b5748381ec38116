import type { Adapter } from '@notify/channels';
import type { Channel, TemplateContent } from '@notify/core';
import { invalidRequest, Problem } from '../problems/problem.ts';
import { judgeTemplate, type TemplateRefusal } from './judge-template.ts';
import { headerFault, inFixedOrder } from './template-content.ts';
import type { ItemSender } from '../sending/key-sender.ts';
import { type Send, type SendItem, toAcceptItem } from '../sending/send.ts';
import { type KnownTemplates, knownTemplates, refreshTemplates } from './known-templates.ts';

/** What `templateItem` needs. */
export interface TemplateNeeds {
  readonly adapters: ReadonlyMap<string, Adapter>;
  readonly templates: KnownTemplates;
}

/** A send of a template, checked against its schema. */
export interface TemplateSend extends Omit<Send, 'type' | 'body'> {
  readonly template: TemplateContent;
}

/** How the item is sent: in a bulk call or alone, and where its template is in the request. */
export interface TemplatePlace {
  readonly bulk: boolean;
  readonly at: string;
}

/**
 * The item for the group commit. The template is checked against what is stored about it. A refusal is noted on the
 * item and decided with the commit, so that a revoked key and a repeated request come first.
 */
export async function templateItem(
  sender: ItemSender,
  channel: Channel,
  send: TemplateSend,
  { bulk, at }: TemplatePlace,
  deps: TemplateNeeds,
): Promise<SendItem> {
  const fault = headerFault(send.template, at);
  if (fault !== null) throw invalidRequest(fault);
  const content = inFixedOrder(send.template);
  const asked = toAcceptItem(
    sender,
    channel,
    { ...send, type: 'template', body: { template: content } },
    bulk,
  );
  if (asked.preFailed !== undefined) return asked;
  const { tenantId, accountId } = asked;
  // The commit refuses an account that the key is not for, so its templates must not show.
  const isOwn = sender.accountIds?.includes(accountId ?? '') ?? true;
  const known = isOwn
    ? await knownTemplates(deps.templates, { tenantId, channel, accountId, name: content.name })
    : null;
  const supported = deps.adapters.get(known?.provider ?? '')?.listTemplates !== undefined;
  const { body, refusal } = judgeTemplate({ content, channel, known, supported });
  if (refusal === null) return { ...asked, body };
  // The provider may have changed the template since it was read.
  if (known !== null && supported) await refreshTemplates(deps.templates, known.accountId);
  const preFailed = { errorCode: refusal.code, text: textOf(refusal) };
  return { ...asked, body, preFailed, problem: problemOf(refusal, at) };
}

function problemOf({ code, detail, faults }: TemplateRefusal, at: string): Problem {
  const errors = faults.map((fault) => ({ at: `${at}/parameters${fault.at}`, message: fault.message }));
  return new Problem(code, { errors, ...(detail === undefined ? {} : { detail }) });
}

const maxText = 1_000;

/** The `error` of a refused item of a bulk call. */
function textOf({ code, detail, faults }: TemplateRefusal): string {
  if (detail !== undefined) return detail;
  if (code === 'template-not-supported') return 'The provider of the account has no templates.';
  return faults
    .map(({ at, message }) => `parameters${at} ${message}`)
    .join('; ')
    .slice(0, maxText);
}
