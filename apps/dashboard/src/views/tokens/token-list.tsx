import { Button } from '@mantine/core';
import type { ServiceToken } from '@notify/sdk';
import type { ReactNode } from 'react';
import { CredentialRow } from '../../parts/credential/credential-row.tsx';
import { Several } from '../../parts/credential/several.tsx';
import { Fact } from '../../parts/fact.tsx';
import rows from '../../parts/list/rows.module.css';
import { Time } from '../../parts/time/time.tsx';
import { scopesInWords } from './token-areas.ts';

/** The service tokens, newest first, without their secrets. */
export function TokenList({
  tokens,
  onRevoke,
}: {
  readonly tokens: readonly ServiceToken[];
  readonly onRevoke: (token: ServiceToken) => void;
}): ReactNode {
  const newestFirst = tokens.toSorted((one, other) => other.createdAt.localeCompare(one.createdAt));
  return (
    <ul className={rows.list} aria-label="Service tokens">
      {newestFirst.map((token) => (
        <TokenRow
          key={token.id}
          token={token}
          isNamesake={tokens.some(({ id, name }) => id !== token.id && name === token.name)}
          onRevoke={() => onRevoke(token)}
        />
      ))}
    </ul>
  );
}

function TokenRow({
  token: { name, tokenPrefix, hint, scopes, allowedIps, expiresAt, lastUsedAt, createdAt },
  isNamesake,
  onRevoke,
}: {
  readonly token: ServiceToken;
  /** Whether another token has the same name. */
  readonly isNamesake: boolean;
  readonly onRevoke: () => void;
}): ReactNode {
  const spoken = isNamesake ? `${name} (…${hint})` : name;
  return (
    <CredentialRow
      name={name}
      hint={`${tokenPrefix}…${hint}`}
      createdAt={createdAt}
      actions={
        <Button variant="default" size="xs" onClick={onRevoke} aria-label={`Revoke ${spoken}`}>
          Revoke
        </Button>
      }
    >
      <Fact term="Scopes" wide>
        <Several names={scopesInWords(scopes)} what={`scopes of ${spoken}`} />
      </Fact>
      <Fact term="Addresses">
        {allowedIps === null ? 'Any' : <Several names={allowedIps} what={`addresses of ${spoken}`} />}
      </Fact>
      <Fact term="Expires">
        <Time at={expiresAt} since never="Never" />
      </Fact>
      <Fact term="Last used">
        <Time at={lastUsedAt} since never="Never" />
      </Fact>
    </CredentialRow>
  );
}
