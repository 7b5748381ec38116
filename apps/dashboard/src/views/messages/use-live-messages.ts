import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { keyOf, type Pages, usePages, useRead } from '../../api/hooks.ts';
import type { MessageDetails } from '../../api/schema.ts';
import { type Filter, queryOf } from './filter.ts';

const everyMs = 3_000;
const pageSize = 50;
/** Scrolled further than this, in px, somebody reads, and rows must stay where they are. */
const readingPx = 160;

/** A list that keeps itself up to date without moving under the reader's eyes. */
export interface LiveMessages {
  readonly pages: Pages<MessageDetails>;
  /** Came in since, and are not shown while somebody reads further down; as many as 50 are counted. */
  readonly newer: number;
  readonly showNewer: () => void;
}

/**
 * Reads the list again every 3 s while its top is looked at. Further down only the rows that are there change; what is
 * newer is counted.
 */
export function useLiveMessages(filter: Filter): LiveMessages {
  // Where a span ends is settled once, so that pages follow on each other.
  const [openedMs] = useState(() => Date.now());
  const input = { query: { ...queryOf(filter, openedMs), limit: pageSize } };
  const isReading = useIsReading();
  const client = useQueryClient();
  const listed = usePages('get /v1/messages', input, { everyMs: isReading ? false : everyMs });
  const isPaged = (listed.items?.length ?? 0) > pageSize;
  const frozen = isReading || isPaged;
  const head = useRead('get /v1/messages', input, { everyMs, enabled: frozen });
  const fresh = frozen ? (head.data?.data ?? []) : [];
  const items = listed.items?.map(
    (item) => fresh.find(({ messageId }) => messageId === item.messageId) ?? item,
  );
  const newest = items?.[0]?.messageId ?? '';

  async function showNewer(): Promise<void> {
    window.scrollTo({ top: 0 });
    await client.resetQueries({ queryKey: keyOf('get /v1/messages', input) });
  }

  return {
    pages: { ...listed, items },
    newer: fresh.filter(({ messageId }) => messageId > newest).length,
    showNewer: () => void showNewer(),
  };
}

function useIsReading(): boolean {
  const [isReading, setReading] = useState(false);
  useEffect(() => {
    const look = (): void => setReading(window.scrollY > readingPx);
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  return isReading;
}
