import { Message, SendMessage } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { type FieldError, invalidRequest } from '../problems/problem.ts';
import { defineRoute, NoParams, NoQuery } from '../http/route.ts';
import { interactiveItem } from '../interactive/interactive-item.ts';
import type { KeyRates } from '../keys/key-rates.ts';
import { takeRate } from '../keys/take-rate.ts';
import type { LookUps } from '../sending/look-up.ts';
import { demandMedia, mediaContent } from '../sending/media.ts';
import { quoting } from '../sending/quoted.ts';
import {
  interactiveProblems,
  mediaProblems,
  sendOne,
  type SendItem,
  singleSendProblems,
  templateProblems,
  textSend,
  toAcceptItem,
  type SendNeeds,
} from '../sending/send.ts';
import { optionFaults } from '../sending/one-content.ts';
import { templateItem, type TemplateNeeds } from '../templates/template-item.ts';

export const sendMessage = defineRoute({
  operationId: 'tenantMessages.send',
  method: 'post',
  path: '/v1/messages',
  tag: 'Messages',
  summary: 'Send a message from the dashboard',
  description:
    'Like the sends below `/v1/notify/{channel}`, but with an access token instead of an API key. Takes a text, a file, a template, or buttons or a list (`interactive`). Meant for people; apps use an API key. All such requests of a tenant, and its resends, share the rate limit of one key.',
  credential: 'bearer',
  scope: 'messages:send',
  params: NoParams,
  query: NoQuery,
  body: SendMessage,
  idempotencyHeader: 'taken',
  status: 202,
  response: Message,
  problems: [
    ...singleSendProblems.filter((code) => code !== 'unknown-channel'),
    ...mediaProblems,
    ...templateProblems,
    ...interactiveProblems,
    'rate-limited',
  ],
  async handle(
    { body, caller, request, reply },
    deps: SendNeeds &
      TemplateNeeds & { readonly db: Db; readonly keyRates: KeyRates; readonly lookUps: LookUps },
  ) {
    const { tenantId } = caller;
    await takeRate(deps, tenantId, deps.settings.keyRatePerMinute, (name, value) =>
      reply.header(name, value),
    );
    return sendOne(caller, await toItem(tenantId, body, deps), request, deps);
  },
});

async function toItem(
  tenantId: string,
  body: SendMessage,
  deps: TemplateNeeds & { readonly db: Db; readonly lookUps: LookUps },
): Promise<SendItem> {
  const sender = { tenantId, keyId: null };
  demandOneContent(body);
  const replyPlace = { tenantId, channel: body.channel, at: 'body/replyTo' };
  const send = await quoting(body, replyPlace, deps);
  const { channel, text, type, url, fileId, caption, filename, template, interactive, telegram, ...rest } =
    send;
  if (template !== undefined) {
    const place = { bulk: false, at: 'body/template' };
    return templateItem(sender, channel, { ...rest, template }, place, deps);
  }
  if (interactive !== undefined) {
    const place = { bulk: false, at: 'body/interactive' };
    return interactiveItem(sender, channel, { ...rest, interactive }, place, deps);
  }
  if (text !== undefined)
    return toAcceptItem(
      sender,
      channel,
      textSend(channel, { ...rest, text, ...(telegram === undefined ? {} : { telegram }) }),
      false,
    );
  demandMedia(channel);
  const media = {
    type: type!,
    ...(url === undefined ? {} : { url }),
    ...(fileId === undefined ? {} : { fileId }),
    ...(caption === undefined ? {} : { caption }),
    ...(filename === undefined ? {} : { filename }),
  };
  const place = { ...sender, channel, telegram, at: 'body', optionsAt: 'body' };
  const content = await mediaContent(media, place, deps);
  return toAcceptItem(sender, channel, { ...rest, type: media.type, ...content }, false);
}

/** Refuses a message without content, with two, or with fields of another. */
function demandOneContent(body: SendMessage): void {
  const given = (['text', 'type', 'template', 'interactive'] as const).filter(
    (field) => body[field] !== undefined,
  );
  const [first, ...others] = given;
  if (first === undefined)
    throw invalidRequest({
      at: 'body/text',
      message: 'is required, unless type, template or interactive is given',
    });
  const surplus = [
    ...others,
    ...(first === 'type' ? [] : (['url', 'fileId', 'caption', 'filename'] as const)).filter(
      (field) => body[field] !== undefined,
    ),
  ];
  const errors = surplus.map((field): FieldError => ({
    at: `body/${field}`,
    message: `must not be given together with ${first}`,
  }));
  errors.push(...optionFaults(first, body.telegram, 'body'));
  if (errors.length > 0) throw invalidRequest(...errors);
}
