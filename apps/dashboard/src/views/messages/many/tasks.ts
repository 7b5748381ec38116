import type { MessageDetails, MessageRecord } from '@notify/sdk';
import type { Call } from '../../../api/client.ts';
import { saveText } from '../../../parts/save-file.ts';
import { type Filter, queryOf } from '../list/filter.ts';
import { canResend, carriesCode } from '../message-state.ts';
import type { Many, Tools } from './many-dialog.tsx';
import { messagesCsv } from './message-csv.ts';
import { forEach, type ReadAll, readAll } from './read-all.ts';
import { endedInWords, messagesIn } from './words.ts';

/** The messages that an export holds at most. */
export const mostExported = 10_000;
/** The messages that one dialog resends at most: each is its own request. */
export const mostResent = 1_000;
const pageSize = 100;

/** The conditions that only the list has: waiting messages cannot be canceled by them. */
const listOnly = ['errorCode', 'externalId', 'idempotencyKey', 'groupId'] as const;

/** Whether all waiting messages that match can be canceled at once. */
export function canCancelAll(filter: Filter): boolean {
  const isWaiting = filter.status === null || filter.status === 'queued' || filter.status === 'scheduled';
  return filter.direction === null && isWaiting && listOnly.every((name) => filter[name] === null);
}

/** Whether all failed messages that match can be resent. */
export function canResendAll({ direction, status }: Filter): boolean {
  return direction === null && (status === null || status === 'failed');
}

type Matching = ReadAll<MessageDetails>;
type Records = ReadAll<MessageRecord>;
type Read = (query: ReturnType<typeof queryOf>, tools: Tools, most: number) => Promise<Records>;

function reading(call: Call): Read {
  return (query, { onCount, signal }, most) =>
    readAll(
      (cursor) =>
        call(
          'get /v1/messages',
          { query: { ...query, limit: pageSize, ...(cursor === undefined ? {} : { cursor }) } },
          signal,
        ),
      { most, onCount, signal },
    );
}

const first = (most: number): string =>
  `Only the newest ${messagesIn(most)} are included. For older ones, choose a period that ends earlier.`;

/** Saves what matches as a table. */
export function exportTask(
  call: Call,
  filter: Filter,
  nameOf: (accountId: string | null) => string,
): Many<Records> {
  return {
    title: 'Export messages?',
    find: (tools) => reading(call)(queryOf(filter, Date.now()), tools, mostExported),
    countOf: ({ items }) => items.length,
    none: 'No message matches the filter.',
    question: ({ items, isCut }) =>
      `Saves ${messagesIn(items.length)} with status, times, content and IDs as a CSV file. Times are in UTC.${isCut ? ` ${first(mostExported)}` : ''}`,
    confirm: (count) => `Export ${messagesIn(count)}`,
    run({ items }) {
      const nowMs = Date.now();
      const name = `messages-${new Date(nowMs).toISOString().slice(0, 10)}.csv`;
      saveText(messagesCsv(items, { nowMs, nameOf }), name, 'text/csv;charset=utf-8');
      return Promise.resolve(`Exported ${messagesIn(items.length)} to ${name}.`);
    },
  };
}

/** Resends these messages, or without them all failed ones that match. */
export function resendTask(
  call: Call,
  filter: Filter,
  selected: readonly MessageDetails[] | null,
): Many<Matching> {
  const sent = ({ items }: Matching): readonly MessageDetails[] => items.filter(canResend);
  return {
    title: 'Resend messages?',
    find: (tools) =>
      selected === null
        ? reading(call)({ ...queryOf(filter, Date.now()), status: 'failed' }, tools, mostResent)
        : Promise.resolve({ items: selected, isCut: false }),
    countOf: (found) => sent(found).length,
    none: 'None of these messages can be resent. Only failed messages can be resent. One-time codes never can.',
    question(found) {
      const { length } = sent(found);
      const codes = found.items.filter(carriesCode).length;
      const others = found.items.length - length - codes;
      return [
        `Sends the same content again as ${length === 1 ? 'a new message' : `${messagesIn(length, 'new')}`}.`,
        'A message whose outcome is unknown may arrive twice.',
        ...(codes === 0 ? [] : [`Left out: ${messagesIn(codes)} with a one-time code.`]),
        ...(others === 0 ? [] : [`Left out: ${messagesIn(others)} that did not fail.`]),
        ...(found.isCut ? [first(mostResent)] : []),
      ].join(' ');
    },
    confirm: (count) => `Resend ${messagesIn(count)}`,
    async run(found, tools) {
      const ended = await forEach(
        sent(found),
        ({ messageId }) => call('post /v1/messages/{id}/resend', { path: { id: messageId } }),
        tools,
      );
      return endedInWords('Resent', ended);
    },
  };
}

/** Cancels these messages. */
export function cancelSelectedTask(
  call: Call,
  selected: readonly MessageDetails[],
): Many<readonly MessageDetails[]> {
  const waiting = selected.filter(({ direction, status }) => direction === 'outbound' && status === 'queued');
  const others = selected.length - waiting.length;
  return {
    title: 'Cancel messages?',
    find: () => Promise.resolve(waiting),
    countOf: ({ length }) => length,
    none: 'None of these messages is waiting, so none can be canceled.',
    question: ({ length }) =>
      `${canceledWords(length)}${others === 0 ? '' : ` Left out: ${messagesIn(others)} that are not waiting.`}`,
    confirm: (count) => `Cancel ${messagesIn(count)}`,
    isDangerous: true,
    async run(found, tools) {
      const ended = await forEach(
        found,
        ({ messageId }) => call('post /v1/messages/{id}/cancel', { path: { id: messageId } }),
        tools,
      );
      return endedInWords('Canceled', ended);
    },
  };
}

interface Waiting {
  readonly filter: object;
  readonly matched: number;
  readonly more: boolean;
}

/** Cancels all waiting messages that match, in one request. */
export function cancelAllTask(call: Call, filter: Filter): Many<Waiting> {
  return {
    title: 'Cancel messages?',
    async find() {
      // The present span is that of the question, so that nothing later is canceled.
      const now = Date.now();
      const { direction: _, ...query } = queryOf(filter, now);
      const asked = {
        ...query,
        until: query.until ?? new Date(now).toISOString(),
        status: 'queued' as const,
      };
      const { matched, more } = await call('post /v1/messages/cancel', {
        body: { filter: asked, dryRun: true },
      });
      return { filter: asked, matched, more };
    },
    countOf: ({ matched }) => matched,
    none: 'No waiting message matches the filter.',
    question: ({ matched, more }) =>
      `${canceledWords(matched)}${more ? ' More messages match. Repeat this to cancel them too.' : ''}`,
    confirm: (count) => `Cancel ${messagesIn(count)}`,
    isDangerous: true,
    async run({ filter: asked, matched }, { onCount }) {
      const { canceled } = await call('post /v1/messages/cancel', { body: { filter: asked } });
      onCount(matched);
      const left = matched - canceled;
      return `Canceled ${messagesIn(canceled)}.${left > 0 ? ` ${messagesIn(left)} could no longer be canceled.` : ''}`;
    },
  };
}

function canceledWords(count: number): string {
  const what = count === 1 ? 'It fails' : 'They fail';
  return `${messagesIn(count)} will not be sent. ${what} with the code “canceled”, and your webhooks receive the events. If a message is a route of a group, its group ends.`;
}
