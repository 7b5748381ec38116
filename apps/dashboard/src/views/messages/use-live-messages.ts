import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { keyOf, type Pages, usePages, useRead } from '../../api/hooks.ts';
import type { MessageDetails } from '../../api/schema.ts';
import { type Filter, queryOf } from './filter.ts';

const everyMs = 3_000;
const pageSize = 50;
/** Beyond this scroll position, in px, the reader is reading, so rows must stay in place. */
const readingPx = 160;

/** A list that stays up to date without moving while it is read. */
export interface LiveMessages {
  readonly pages: Pages<MessageDetails>;
  /** The number of newer messages that are not shown while the reader is further down; counts up to 50. */
  readonly newer: number;
  readonly showNewer: () => void;
}

/**
 * Reads the list again every 3 s while its top is visible. Further down only the visible rows are updated, and newer
 * ones are counted.
 */
export function useLiveMessages(filter: Filter): LiveMessages {
  // The end of a span is fixed once, so that the pages fit together.
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
