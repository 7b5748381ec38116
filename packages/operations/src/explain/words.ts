import { formatId, hasMask, type MessageBody } from '@notify/core';
import type { MessageFacts } from '@notify/db/explanations';
import type { Explanation } from './explain.ts';
import type { Reason } from './reason.ts';
import { plain } from './said.ts';
import { timeBeside } from './times.ts';

/**
 * An explanation as text for the operator. Names no recipient and nothing of the message. Of a provider's answers to its attempts, it
 * has only the codes.
 */
export function wordsOf(facts: MessageFacts, { reasons, deliveries }: Explanation): string {
  return [
    ...headOf(facts),
    '',
    ...reasons.flatMap((reason) => paragraph(sentenceOf(reason), '  ')),
    '',
    ...webhookLines(facts, deliveries),
  ].join('\n');
}

function headOf({ history: { message }, tenant, account, due, now }: MessageFacts): string[] {
  const isInbound = message.received_at !== null;
  const code = !isInbound && hasMask(message.body as MessageBody) ? ' with a one-time code' : '';
  const kind = `${message.bulk ? 'bulk ' : ''}${message.type}${code}`;
  const of =
    tenant === null ? 'a tenant that is gone' : `${plain(tenant.name)} (${formatId('ten', tenant.id)})`;
  const by =
    account === null
      ? 'no account'
      : `the ${account.provider} account "${plain(account.name)}" (${account.id})`;
  const when = isInbound ? '' : ` Accepted ${timeBeside(message.created_at, now)}.`;
  const end = due === null ? '' : ` Expires ${timeBeside(due.expiresAt, now)}.`;
  return [
    `${formatId('msg', message.id)} is ${isInbound ? 'received' : message.status}.`,
    ...paragraph(`${message.channel} ${kind} of ${of}, by ${by}.${when}${end}`, ''),
  ];
}

function sentenceOf({ text, detail }: Reason): string {
  return detail === null ? text : `${text} ${detail}`;
}

function webhookLines({ deliveries, history }: MessageFacts, reasons: Explanation['deliveries']): string[] {
  const total = history.deliveries.length;
  if (total === 0) return ['Webhooks: no delivery of its events is known.'];
  const arrived = history.deliveries.filter(({ state }) => state === 'delivered').length;
  return [
    `Webhooks: ${arrived} of ${total} deliveries of its events have arrived.`,
    ...groupsOf(deliveries, reasons).flatMap(({ webhookId, reason, events }) =>
      paragraph(`${events.join(', ')} to ${formatId('wh', webhookId)}: ${sentenceOf(reason)}`, '  '),
    ),
  ];
}

/** Deliveries that one reason holds up. What holds up a whole webhook is told once, as its first delivery knows it. */
interface Group {
  readonly webhookId: string;
  readonly reason: Reason;
  readonly events: string[];
}

function groupsOf(deliveries: MessageFacts['deliveries'], reasons: Explanation['deliveries']): Group[] {
  const groups = new Map<string, Group>();
  for (const { delivery } of deliveries) {
    const { id, webhookId, event } = delivery;
    const reason = reasons.get(id);
    if (reason === undefined) continue;
    const isOfWebhook = reason.code.startsWith('webhook-');
    const key = `${webhookId} ${isOfWebhook ? reason.text : sentenceOf(reason)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { webhookId, reason, events: [event] });
    else group.events.push(event);
  }
  return [...groups.values()];
}

const widest = 100;

/** Breaks a text into lines. The first is indented by `indent`, the others by two spaces more. */
function paragraph(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of plain(text).split(' ')) {
    if (line.trim() !== '' && line.length + word.length + 1 > widest) {
      lines.push(line);
      line = `${indent}  `;
    }
    line += line.trim() === '' ? word : ` ${word}`;
  }
  return [...lines, line];
}
