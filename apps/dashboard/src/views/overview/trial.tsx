import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRead } from '../../api/hooks.ts';
import { InfoIcon } from '../../parts/icons.tsx';
import { Time } from '../../parts/time.tsx';

const soonMs = 7 * 24 * 3_600_000;

/** Announces that a trial ends within a week, or has ended. */
export function Trial(): ReactNode {
  const { data } = useRead('get /auth/me');
  if (data === undefined || data.plan !== 'trial') return null;
  const leftMs = new Date(data.trialEndsAt).getTime() - Date.now();
  if (leftMs > soonMs) return null;
  return (
    <Alert color={leftMs > 0 ? 'gray' : 'orange'} icon={<InfoIcon />}>
      {leftMs > 0 ? 'Your trial ends ' : 'Your trial ended '}
      <Time at={data.trialEndsAt} since />. Ask the operator of this service for a plan.
    </Alert>
  );
}
