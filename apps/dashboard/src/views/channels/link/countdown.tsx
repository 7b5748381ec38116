import { Box, Progress, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import { secondsLeft } from './link-view.ts';

/** Counts down the remaining seconds. `says` puts the seconds in words; below 1 it gets 0. */
export function Countdown({
  endsAt,
  aheadMs,
  says,
}: {
  readonly endsAt: string;
  readonly aheadMs: number;
  readonly says: (seconds: number) => string;
}): ReactNode {
  const left = useSecondsLeft(endsAt, aheadMs);
  const [most, setMost] = useState({ endsAt, left });
  if (most.endsAt !== endsAt) setMost({ endsAt, left });
  return (
    <Box role="timer" aria-live="off" w="100%">
      <Progress
        value={most.left === 0 ? 0 : (100 * left) / most.left}
        size="xs"
        transitionDuration={200}
        aria-hidden
      />
      <Text size="sm" c="dimmed" mt={4} ta="center">
        {says(left)}
      </Text>
    </Box>
  );
}

function useSecondsLeft(endsAt: string, aheadMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return secondsLeft(endsAt, Math.max(now, Date.now()), aheadMs);
}
