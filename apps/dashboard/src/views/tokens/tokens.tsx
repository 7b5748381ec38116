import { Anchor, Button, Skeleton, Stack } from '@mantine/core';
import type { CreatedServiceToken, ServiceToken } from '@notify/sdk';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useRead } from '../../api/hooks.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { PlusIcon, TokenIcon } from '../../parts/icons.tsx';
import { ListCount } from '../../parts/list/list-count.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../shell/page.tsx';
import { CreateToken } from './create-token.tsx';
import { NewToken } from './new-token.tsx';
import { RevokeToken } from './revoke-token.tsx';
import { TokenList } from './token-list.tsx';

const everyMs = 30_000;

/** The service tokens: create one, see which are used, revoke one. */
export function TokensView(): ReactNode {
  const tokens = useRead('get /tenant/service-tokens', {}, { everyMs });
  const [creates, setCreates] = useState(false);
  const [created, setCreated] = useState<CreatedServiceToken | null>(null);
  const [revoked, setRevoked] = useState<ServiceToken | null>(null);
  return (
    <Page
      title="Service tokens"
      about={
        <>
          For programs that manage Notify: CI, infrastructure as code, the command line. A token can do what
          its scopes allow. Only a logged-in person can create or revoke tokens. A program that only sends
          needs an{' '}
          <Anchor component={Link} to="/keys" underline="always" inherit>
            API key
          </Anchor>
          .
        </>
      }
      actions={
        <Button leftSection={<PlusIcon size={16} />} onClick={() => setCreates(true)}>
          Create a token
        </Button>
      }
    >
      <Loaded query={tokens} what="the service tokens" skeleton={<ListSkeleton />}>
        {(list) =>
          list.length === 0 ? (
            <NoTokens onAdd={() => setCreates(true)} />
          ) : (
            <>
              <TokenList tokens={list} onRevoke={setRevoked} />
              <ListCount count={list.length} what="service token" />
            </>
          )
        }
      </Loaded>
      {creates && <CreateToken onClose={() => setCreates(false)} onCreated={setCreated} />}
      {created !== null && <NewToken created={created} onDone={() => setCreated(null)} />}
      {revoked !== null && <RevokeToken token={revoked} onClose={() => setRevoked(null)} />}
    </Page>
  );
}

function NoTokens({ onAdd }: { readonly onAdd: () => void }): ReactNode {
  return (
    <EmptyState
      title="No service tokens yet"
      icon={<TokenIcon size={22} />}
      action={
        <Button variant="light" onClick={onAdd}>
          Create your first token
        </Button>
      }
    >
      Create one token per program, with the scopes that it needs.
    </EmptyState>
  );
}

function ListSkeleton(): ReactNode {
  return (
    <Stack gap="sm">
      <Skeleton height={110} radius="lg" />
      <Skeleton height={110} radius="lg" />
    </Stack>
  );
}
