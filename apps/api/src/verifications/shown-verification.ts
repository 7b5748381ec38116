import type { CodeVerification } from '@notify/contract';
import { formatId, mostTries } from '@notify/core';
import type { VerificationRow } from '@notify/db/verifications';
import { shownLabels } from '../sending/labels.ts';

/** A verification as the API shows it. It never has the code. */
export function toShown({ id, groupId, status, tries, ...row }: VerificationRow): CodeVerification {
  return {
    id: formatId('ver', id),
    status,
    to: row.to,
    attempts: tries,
    attemptsLeft: status === 'pending' ? mostTries - tries : 0,
    sandbox: row.sandbox,
    groupId: formatId('grp', groupId),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    ...shownLabels(row),
  };
}
