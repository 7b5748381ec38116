import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';

/** An ID with a button that copies it. */
export function IdLine({
  id,
  what,
}: {
  readonly id: string;
  /** What the button does: `Copy the group ID`. */
  readonly what: string;
}): ReactNode {
  return (
    <Group gap={4} wrap="nowrap">
      <Text size="xs" ff="monospace">
        {id}
      </Text>
      <CopyButton text={id} label={what} />
    </Group>
  );
}
