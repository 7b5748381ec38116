import { Button, Group, Stack, TextInput, type TextInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { inputMoment } from '../time/moment-text.ts';
import { useNow } from '../time/time.tsx';
import { readersZone, zoneInWords } from '../time/zone.ts';

/** A moment that is chosen often. */
export interface Shortcut {
  readonly label: string;
  /** The moment, seen from a time in ms since 1970. */
  readonly from: (nowMs: number) => Date;
}

const hourMs = 3_600_000;

/** The usual times to send something later. */
export const laterShortcuts: readonly Shortcut[] = [
  { label: 'In 1 hour', from: (nowMs) => new Date(nowMs + hourMs) },
  { label: 'Tomorrow 9:00', from: tomorrowAtNine },
];

function tomorrowAtNine(nowMs: number): Date {
  const at = new Date(nowMs);
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + 1, 9);
}

/**
 * Asks for a date and time with the browser's own input. It is in the zone of the browser, which stands below the label.
 * `readMoment` reads its value, and `isHalfTyped` tells whether it holds less than a whole one.
 */
export function MomentInput({
  note,
  shortcuts = [],
  onPick,
  ...props
}: Omit<TextInputProps, 'description' | 'type'> & {
  /** More about the time, a sentence. */
  readonly note?: string;
  readonly shortcuts?: readonly Shortcut[];
  /** Takes the value of a shortcut. */
  readonly onPick?: (value: string) => void;
}): ReactNode {
  const now = useNow();
  const zone = `Time zone: ${zoneInWords(readersZone, now)}.`;
  return (
    <Stack gap={6}>
      <TextInput
        {...props}
        type="datetime-local"
        description={note === undefined ? zone : `${note} ${zone}`}
      />
      {shortcuts.length > 0 && (
        <Group gap={6}>
          {shortcuts.map(({ label, from }) => (
            <Button
              key={label}
              size="compact-xs"
              variant="default"
              onClick={() => onPick?.(inputMoment(from(Date.now())))}
            >
              {label}
            </Button>
          ))}
        </Group>
      )}
    </Stack>
  );
}

/** Whether an input of a date and time is filled in part. Its value is empty then, as if it were not filled at all. */
export function isHalfTyped(node: HTMLElement | null): boolean {
  return node instanceof HTMLInputElement && node.validity.badInput;
}
