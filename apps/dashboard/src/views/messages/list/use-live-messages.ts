import type { MessageDetails } from '@notify/sdk';
import { useState } from 'react';
import { type LiveList, type Part, useLiveList } from '../../../api/live-list.ts';
import { type Filter, queryOf } from './filter.ts';

const everyMs = 4_000;
const pageSize = 50;
/** A message of this age, in ms, rarely changes any more, so it is not asked for again. */
const settledAfterMs = 600_000;
/** A message is listed at most this long after its acceptance began, in ms. */
const acceptedWithinMs = 10_000;

/**
 * Keeps the list up to date. Without a filter by status, only messages are asked for that are new or may still change.
 */
export function useLiveMessages(
  filter: Filter,
  isReading: boolean,
  /** Messages that stay even when they no longer match. */
  keeps: (id: string) => boolean,
): LiveList<MessageDetails> {
  // The end of a span is fixed once, so that the pages fit together.
  const [openedMs] = useState(() => Date.now());
  const query = { ...queryOf(filter, openedMs), limit: pageSize };
  const isOver = filter.until !== null && Date.parse(filter.until) < openedMs;
  return useLiveList(
    'get /v1/messages',
    { query },
    {
      idOf: ({ messageId }) => messageId,
      everyMs: isOver ? false : everyMs,
      isReading,
      keeps,
      on: ({ name }) => name.startsWith('message.'),
      // An old message can begin to match: it fails today.
      ...(hasOnlyLasting(filter) ? { part: sinceOldestThatMayChange(query.from) } : {}),
    },
  );
}

/** Whether only new messages can begin to match. */
function hasOnlyLasting({ status, errorCode, externalId }: Filter): boolean {
  return status === null && errorCode === null && externalId === null;
}

/** The messages that were accepted since the oldest one on the first page that may still change. */
export function sinceOldestThatMayChange(least: string | undefined): Part<MessageDetails> {
  return {
    ask(items) {
      const [newest] = items;
      if (newest === undefined) return {};
      const settledBefore = Date.now() - settledAfterMs;
      const times = items
        .slice(0, pageSize)
        .filter(({ status, createdAt }) => status === 'queued' || Date.parse(createdAt) > settledBefore)
        .map(({ createdAt }) => Date.parse(createdAt));
      const from = new Date(
        Math.min(Date.parse(newest.createdAt) - acceptedWithinMs, ...times),
      ).toISOString();
      return { from: least !== undefined && least > from ? least : from };
    },
    covers: ({ createdAt }, { from }) => typeof from !== 'string' || createdAt >= from,
  };
}
