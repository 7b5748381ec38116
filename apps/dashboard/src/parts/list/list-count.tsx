import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { shownInWords } from './shown-words.ts';

/** Below a list: how many of its items are shown, and whether these are all. */
export function ListCount({
  count,
  what,
  plural = `${what}s`,
  isWhole = true,
}: {
  readonly count: number;
  /** One item: `message`. */
  readonly what: string;
  readonly plural?: string;
  readonly isWhole?: boolean;
}): ReactNode {
  return (
    <Text size="sm" c="dimmed" ta="center" mt="md">
      {shownInWords(count, isWhole, what, plural)}
    </Text>
  );
}
