import type { Route, SendGroup } from '@notify/contract';
import { advanceAfterSeconds, type Channel } from '@notify/core';
import type { Db } from '@notify/db/connection';
import type { NewGroup, NewRoute } from '@notify/db/groups';
import type { AcceptItem } from '@notify/db/messages';
import { interactiveItem } from '../interactive/interactive-item.ts';
import { invalidRequest, Problem } from '../problems/problem.ts';
import type { ItemSender } from '../sending/key-sender.ts';
import { givenLabels } from '../sending/labels.ts';
import type { LookUps } from '../sending/look-up.ts';
import { judgeKnown } from '../sending/recipient.ts';
import { hashRequest, type SendItem, toAcceptItem } from '../sending/send.ts';
import { timeOf } from '../sending/send-at.ts';
import { demandMedia, mediaContent } from '../sending/media.ts';
import { contentFaults } from '../sending/one-content.ts';
import { withTelegram } from '../sending/telegram-options.ts';
import { templateItem, type TemplateNeeds } from '../templates/template-item.ts';

/** A group, checked as far as possible without its commit. */
export interface GroupRequest {
  readonly group: NewGroup;
  /** What is answered if the commit refuses a route with the code that its check found, by route. */
  readonly problems: readonly (Problem | undefined)[];
}

/** Who sends a group: the sender of a route depends on its channel. */
export interface GroupSender {
  readonly tenantId: string;
  /** Null if a session or a service token sends. */
  readonly keyId: string | null;
  readonly on: (channel: Channel) => Promise<ItemSender>;
}

const defaultExpirySeconds = 86_400;

/**
 * The group of a request. Throws the Problem of the first route whose content or recipient cannot be, and names its field. What is wrong
 * with a template or an account is decided with the commit, so that a revoked key and a repeated request come first.
 */
export async function toGroup(
  sender: GroupSender,
  body: SendGroup,
  deps: TemplateNeeds & { readonly db: Db; readonly lookUps: LookUps },
): Promise<GroupRequest> {
  demandOneContent(body.routes);
  const items: SendItem[] = [];
  for (const [at, route] of body.routes.entries())
    items.push(await toItem(await sender.on(route.channel), route, at, deps));
  const { idempotencyKey = null, expiresInSeconds = defaultExpirySeconds } = body;
  const sendAt = body.sendAt === undefined ? null : timeOf(body.sendAt);
  const advanceAfter = body.advanceAfterSeconds ?? advanceAfterSeconds.usual;
  const hashFor = (routes: readonly string[]): string =>
    hashRequest(['group', routes, sendAt, body.urgent ?? false]);
  const group: NewGroup = {
    tenantId: sender.tenantId,
    keyId: sender.keyId,
    routes: items.map(toRoute),
    sendAt,
    expiresInSeconds,
    advanceAfterSeconds: advanceAfter,
    idempotencyKey,
    labels: givenLabels(body),
    requestHash: hashFor(items.map((item) => item.requestHash)),
    ...(items.every((item) => item.earlierHash === undefined)
      ? {}
      : { earlierHash: hashFor(items.map((item) => item.earlierHash ?? item.requestHash)) }),
  };
  return { group, problems: items.map((item) => item.problem) };
}

/** Refuses routes without content, and routes with two. */
function demandOneContent(routes: readonly Route[]): void {
  const errors = routes.flatMap((route, index) => contentFaults(route, `body/routes/${index}`));
  if (errors.length > 0) throw invalidRequest(...errors);
}

async function toItem(
  sender: ItemSender,
  route: Route,
  index: number,
  deps: TemplateNeeds & { readonly db: Db; readonly lookUps: LookUps },
): Promise<SendItem> {
  const at = `body/routes/${index}`;
  const { channel, to, text, media, template, interactive, telegram, channelAccountId } = route;
  if (media !== undefined) demandMedia(channel, `${at}/media`);
  const { tenantId, accountIds = null } = sender;
  const fault = await judgeKnown({ tenantId, accountIds, channel, address: to }, deps);
  if (fault !== null)
    throw new Problem('invalid-recipient', { errors: [{ at: `${at}/to`, message: fault }] });
  const send = {
    to,
    isHeard: true as const,
    ...(channelAccountId === undefined ? {} : { channelAccountId }),
  };
  if (template !== undefined)
    return templateItem(sender, channel, { ...send, template }, { bulk: false, at: `${at}/template` }, deps);
  if (interactive !== undefined) {
    const place = { bulk: false, at: `${at}/interactive` };
    return interactiveItem(sender, channel, { ...send, interactive }, place, deps);
  }
  if (media !== undefined) {
    const filePlace = { tenantId, keyId: sender.keyId, channel, telegram, at: `${at}/media`, optionsAt: at };
    const content = await mediaContent(media, filePlace, deps);
    return toAcceptItem(sender, channel, { ...send, type: media.type, ...content }, false);
  }
  const body = withTelegram({ text: text! }, { channel, telegram, at, textAt: `${at}/text` });
  return toAcceptItem(sender, channel, { ...send, type: 'text', body }, false);
}

function toRoute({ channel, accountId, to, type, body, preFailed }: AcceptItem): NewRoute {
  return { channel, accountId, to, type, body, ...(preFailed === undefined ? {} : { preFailed }) };
}
