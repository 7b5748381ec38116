import type { ApiKey } from '@notify/sdk';
import type { ReactNode } from 'react';
import { useChange } from '../../api/hooks.ts';
import { RevokeCredential } from '../../parts/credential/revoke-credential.tsx';

/** Asks before a key is revoked, and revokes it. Mounted only while it is open. */
export function RevokeKey({
  apiKey,
  onClose,
}: {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}): ReactNode {
  const revoke = useChange('delete /tenant/api-keys/{id}', { refresh: ['get /tenant/api-keys'] });
  return (
    <RevokeCredential
      what="key"
      credential={apiKey}
      isBusy={revoke.isPending}
      error={revoke.error}
      revoke={(onSuccess) => revoke.mutate({ path: { id: apiKey.id } }, { onSuccess })}
      onClose={onClose}
    />
  );
}
