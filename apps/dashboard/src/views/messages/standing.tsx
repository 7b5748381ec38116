import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { MessageHistory } from '../../api/schema.ts';
import { DueTime } from '../../parts/time.tsx';

/** What a message waits for, in a sentence, and when that ends if it is known. */
export function Standing({ standing }: { readonly standing: MessageHistory['standing'] }): ReactNode {
  if (standing === null) return null;
  return (
    <Text size="sm" c="dimmed">
      {standing.text}
      {standing.until !== null && (
        <>
          {' '}
          Next step <DueTime at={standing.until} />.
        </>
      )}
    </Text>
  );
}
