import { Button, Text } from '@mantine/core';
import type { ApiKey, ChannelAccount } from '@notify/sdk';
import type { ReactNode } from 'react';
import { accountNames } from '../../parts/account-names.ts';
import { CredentialRow } from '../../parts/credential/credential-row.tsx';
import { Several } from '../../parts/credential/several.tsx';
import { Fact } from '../../parts/fact.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time/time.tsx';
import { limitInWords } from './key-words.ts';

/** What can be done with a key. */
export interface KeyActions {
  readonly onRotate: (key: ApiKey) => void;
  readonly onRevoke: (key: ApiKey) => void;
}

/** A key in the list: what it may do, until when, from where, and whether it is used. */
export function KeyRow({
  apiKey,
  isNamesake,
  accounts,
  onRotate,
  onRevoke,
}: {
  readonly apiKey: ApiKey;
  /** Whether another key has the same name. */
  readonly isNamesake: boolean;
  /** Null until they are read. */
  readonly accounts: readonly ChannelAccount[] | null;
} & KeyActions): ReactNode {
  const { name, hint, replacedBy } = apiKey;
  const spoken = isNamesake ? `${name} (…${hint})` : name;
  return (
    <CredentialRow
      name={name}
      hint={`${apiKey.keyPrefix}…${hint}`}
      createdAt={apiKey.createdAt}
      state={<KeyState apiKey={apiKey} />}
      actions={
        <>
          {replacedBy === null && (
            <Button
              variant="default"
              size="xs"
              onClick={() => onRotate(apiKey)}
              aria-label={`Rotate ${spoken}`}
            >
              Rotate
            </Button>
          )}
          <Button
            variant="default"
            size="xs"
            onClick={() => onRevoke(apiKey)}
            aria-label={`Revoke ${spoken}`}
          >
            Revoke
          </Button>
        </>
      }
    >
      <KeyFacts apiKey={apiKey} accounts={accounts} spoken={spoken} />
    </CredentialRow>
  );
}

function KeyFacts({
  apiKey,
  accounts,
  spoken,
}: {
  readonly apiKey: ApiKey;
  readonly accounts: readonly ChannelAccount[] | null;
  /** The name of the key among the others. */
  readonly spoken: string;
}): ReactNode {
  const { scopes, allowedIps } = apiKey;
  const names = accountNames(apiKey, accounts);
  return (
    <>
      <Fact term="Scopes">{scopes.join(', ')}</Fact>
      <Fact term="Accounts">
        {names === null ? 'All' : <Several names={names} what={`accounts of ${spoken}`} />}
      </Fact>
      <Fact term="Addresses">
        {allowedIps === null ? 'Any' : <Several names={allowedIps} what={`addresses of ${spoken}`} />}
      </Fact>
      <Fact term="Limit">{limitInWords(apiKey.rateLimitOverride)}</Fact>
      <Fact term="Expires">
        <Time at={apiKey.expiresAt} since never="Never" />
      </Fact>
      <Fact term="Last used">
        <Time at={apiKey.lastUsedAt} since never="Never" />
      </Fact>
    </>
  );
}

/** Whether a key was replaced, and until when it still works. */
function KeyState({ apiKey: { replacedBy, expiresAt } }: { readonly apiKey: ApiKey }): ReactNode {
  if (replacedBy === null) return null;
  return (
    <>
      <StatusBadge tone="attention">Replaced</StatusBadge>
      <Text size="sm" component="span">
        works until <Time at={expiresAt} />
      </Text>
    </>
  );
}
