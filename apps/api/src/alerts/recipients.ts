import type { Alert, AlertGroup, AlertsQuery } from '@notify/contract';
import { type Channel, contactAddress, contactKey } from '@notify/core';
import { type FieldError, invalidRequest, Problem } from '../problems/problem.ts';
import { judgeRecipient } from '../sending/recipient.ts';
import { pointerStep } from '../http/input/explain.ts';

/** Alerts that one recipient gets. */
export interface Notice {
  readonly to: string;
  /** The recipient in its usual spelling. */
  readonly address: string;
  readonly alerts: readonly Alert[];
}

/** As many as a bulk call sends. */
const maxNotices = 100;
const maxErrors = 50;

interface Asked extends Pick<AlertsQuery, 'to' | 'toLabel'> {
  readonly channel: Channel;
}

/**
 * Who gets which alerts: those that the label of an alert names, or else those of the query. Throws the 422 that names a missing or invalid
 * recipient.
 */
export function noticesOf({ alerts }: Pick<AlertGroup, 'alerts'>, asked: Asked): readonly Notice[] {
  const { channel, to, toLabel } = asked;
  if (to === undefined && toLabel === undefined)
    throw invalidRequest({ at: 'query/to', message: 'is required, unless toLabel names a label' });
  const places = Map.groupBy(alerts.entries(), ([index, alert]) => keyOf(alert, index, asked));
  const named = [...places].map(([, entries]) => {
    const { text, at } = placeOf(entries[0]![1], entries[0]![0], asked);
    return { at, recipients: recipientsIn(channel, text), alerts: entries.map(([, alert]) => alert) };
  });
  refuse(
    named.filter(({ recipients }) => recipients.length === 0),
    () => 'is required: it names the recipient',
    (errors) => invalidRequest(...errors),
  );
  const faultOf = (recipients: readonly string[]): string | undefined =>
    recipients.map((one) => judgeRecipient(channel, one)).find((fault) => fault !== null) ?? undefined;
  refuse(
    named.filter(({ recipients }) => faultOf(recipients) !== undefined),
    ({ recipients }) => faultOf(recipients)!,
    (errors) => new Problem('invalid-recipient', { errors }),
  );
  const pairs = named.flatMap(({ recipients, alerts: own }) => recipients.map((one) => ({ to: one, own })));
  const byAddress = Map.groupBy(pairs, (pair) => contactAddress(channel, contactKey(channel, pair.to)));
  if (byAddress.size > maxNotices)
    throw invalidRequest({
      at: toLabel === undefined ? 'query/to' : 'query/toLabel',
      message: `names more than ${maxNotices} recipients`,
    });
  return [...byAddress].map(([address, some]) => ({
    to: some[0]!.to,
    address,
    // Two places may name a recipient, and one may do so twice. Recipients of one place share its list.
    alerts: some.length === 1 ? some[0]!.own : [...new Set(some.flatMap(({ own }) => own))],
  }));
}

/** Alerts with the same key have the same recipients. */
function keyOf(alert: Alert, index: number, asked: Asked): string {
  const { text, at } = placeOf(alert, index, asked);
  return text === '' ? at : text;
}

/** The text that names the recipients of an alert, and where it is in the request. */
function placeOf(
  { labels }: Alert,
  index: number,
  { to, toLabel }: Asked,
): { readonly text: string; readonly at: string } {
  const own = toLabel !== undefined && Object.hasOwn(labels, toLabel) ? labels[toLabel]!.trim() : '';
  if (own === '' && to !== undefined) return { text: to, at: 'query/to' };
  return { text: own, at: `body/alerts/${index}/labels/${pointerStep(toLabel!)}` };
}

/** The plus of a number is a space in a URL unless it is escaped, so on sms a number without one gets it. */
function recipientsIn(channel: Channel, text: string): readonly string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => (channel === 'sms' && /^\d+$/.test(one) ? `+${one}` : one));
}

interface Named {
  readonly at: string;
  readonly recipients: readonly string[];
}

function refuse(
  named: readonly Named[],
  messageOf: (one: Named) => string,
  problemOf: (errors: readonly FieldError[]) => Problem,
): void {
  if (named.length === 0) return;
  throw problemOf(named.slice(0, maxErrors).map((one) => ({ at: one.at, message: messageOf(one) })));
}
