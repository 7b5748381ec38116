import type { ServiceToken } from '@notify/sdk';
import type { ReactNode } from 'react';
import { useChange } from '../../api/hooks.ts';
import { RevokeCredential } from '../../parts/credential/revoke-credential.tsx';

/** Asks before a service token is revoked, and revokes it. Mounted only while it is open. */
export function RevokeToken({
  token,
  onClose,
}: {
  readonly token: ServiceToken;
  readonly onClose: () => void;
}): ReactNode {
  const revoke = useChange('delete /tenant/service-tokens/{id}', { refresh: ['get /tenant/service-tokens'] });
  return (
    <RevokeCredential
      what="token"
      credential={token}
      isBusy={revoke.isPending}
      error={revoke.error}
      revoke={(onSuccess) => revoke.mutate({ path: { id: token.id } }, { onSuccess })}
      onClose={onClose}
    />
  );
}
