import { type Alert, AlertGroup, AlertsQuery, Message } from '@notify/contract';
import type { Channel } from '@notify/core';
import type { Db } from '@notify/db/connection';
import Type from 'typebox';
import { invalidRequest } from '../problems/problem.ts';
import { defineRoute } from '../http/route.ts';
import { accept } from '../sending/accept.ts';
import { type ItemSender, keySender } from '../sending/key-sender.ts';
import {
  ChannelParams,
  hashRequest,
  type SendItem,
  type SendNeeds,
  singleSendProblems,
  templateProblems,
  textSend,
  toAcceptItem,
  toMessage,
} from '../sending/send.ts';
import { takeMessages } from '../sending/take-messages.ts';
import type { TemplateNeeds } from '../templates/template-item.ts';
import { alertText } from './alert-text.ts';
import { describe, type Described } from './describe.ts';
import { type Notice, noticesOf } from './recipients.ts';
import { durationMs, keyOf, repeatBounds } from './repeat.ts';
import { templateNotice } from './template-notice.ts';

export const sendAlerts = defineRoute({
  operationId: 'messages.sendAlerts',
  method: 'post',
  path: '/v1/notify/:channel/alertmanager',
  tag: 'Sending',
  summary: 'Send alerts of Alertmanager or Grafana',
  description:
    'Takes what Alertmanager and Grafana post to a webhook, and sends each recipient one text about the group. The same alerts are sent again only after `repeat`; an alert that starts, joins or resolves makes a new text. On this path alone the key may also come as `Authorization: Bearer svc_live_…`, or as the password of Basic authentication with any user name.',
  credential: 'api-key',
  scope: 'send',
  keyInAuthorization: true,
  params: ChannelParams,
  query: AlertsQuery,
  body: AlertGroup,
  status: 202,
  response: Type.Array(Message),
  problems: [...singleSendProblems.filter((code) => code !== 'idempotency-key-reused'), ...templateProblems],
  async handle(
    { params, query, body, caller, request },
    deps: SendNeeds & TemplateNeeds & { readonly db: Db },
  ) {
    const { channel } = params;
    const repeatMs = repeatOf(query);
    const notices = noticesOf(body, { ...query, channel });
    const sender = await keySender(caller, channel, deps);
    const nowMs = Date.now();
    // A key for some accounts must not be answered with a message of others.
    const own = caller.accountIds === null ? '' : `${caller.accountIds.toSorted().join()} `;
    const describedOf = describing(body, query);
    const items = await Promise.all(
      notices.map(async (notice) => {
        const item = await itemOf(
          notice,
          { sender, channel, query, described: describedOf(notice.alerts) },
          deps,
        );
        const told = { ...body, channel: own + channel, alerts: notice.alerts, to: notice.address, repeatMs };
        return once(item, keyOf(told, nowMs));
      }),
    );
    await takeMessages(caller, items.length, deps);
    const results = await accept(deps.acceptor, items, request.origin);
    return items.map((item, index) => toMessage(item, results[index]!, deps));
  },
});

function repeatOf({ repeat = '4h' }: AlertsQuery): number {
  const ms = durationMs(repeat);
  if (ms < repeatBounds.min || ms > repeatBounds.max)
    throw invalidRequest({ at: 'query/repeat', message: 'must be from 1m to 7d' });
  return ms;
}

interface Asked {
  readonly sender: ItemSender;
  readonly channel: Channel;
  readonly query: AlertsQuery;
  readonly described: Described;
}

/** Describes alerts, each list of them once. */
function describing(
  { groupLabels = {}, externalURL = '', truncatedAlerts: truncated = 0 }: AlertGroup,
  { toLabel }: AlertsQuery,
): (alerts: readonly Alert[]) => Described {
  const known = new Map<readonly Alert[], Described>();
  return (alerts) => {
    const described = known.get(alerts) ?? describe({ alerts, groupLabels, externalURL, truncated, toLabel });
    known.set(alerts, described);
    return described;
  };
}

function itemOf(
  { to }: Notice,
  { sender, channel, query, described }: Asked,
  deps: TemplateNeeds,
): SendItem | Promise<SendItem> {
  const { template, language, channelAccountId, urgent } = query;
  const options = {
    to,
    ...(channelAccountId === undefined ? {} : { channelAccountId }),
    ...(urgent === undefined ? {} : { urgent }),
  };
  if (template !== undefined)
    return templateNotice(sender, channel, { ...options, name: template, language, described }, deps);
  const text = alertText(described, channel);
  // Links to graphs make previews of login pages.
  const telegram = channel === 'telegram' ? { telegram: { preview: false } } : {};
  return toAcceptItem(sender, channel, textSend(channel, { ...options, text, ...telegram }), false);
}

/** The item with this idempotency key. Only the key is compared, because a repeat may have another text. */
function once(item: SendItem, key: string): SendItem {
  const { earlierHash: _, ...rest } = item;
  return { ...rest, idempotencyKey: key, requestHash: hashRequest([key]) };
}
