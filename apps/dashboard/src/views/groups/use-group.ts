import type { Group } from '@notify/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Failure } from '../../api/failure.ts';
import { useRead } from '../../api/hooks.ts';

const everyMs = 2_000;
/** A receipt may still come after a group has ended. */
const restingMs = 15_000;

/** A group with its messages, kept up to date. */
export function useGroup(id: string): UseQueryResult<Group, Failure> {
  return useRead(
    'get /v1/groups/{id}',
    { path: { id } },
    {
      everyMs: (found) => (found === undefined || found.endedAt === null ? everyMs : restingMs),
    },
  );
}
