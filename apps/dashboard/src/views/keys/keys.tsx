import { Anchor, Button, Skeleton, Stack } from '@mantine/core';
import type { ApiKey, CreatedApiKey } from '@notify/sdk';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useRead } from '../../api/hooks.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { KeyIcon, PlusIcon } from '../../parts/icons.tsx';
import { ListCount } from '../../parts/list/list-count.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useFreshKey } from '../../session/fresh-key.ts';
import { Page } from '../../shell/page.tsx';
import { CreateKey } from './create-key.tsx';
import { KeyList } from './key-list.tsx';
import { NewKey } from './new-key.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { RotateKey } from './rotate-key.tsx';

const everyMs = 30_000;

/** The API keys: create and narrow one, see which are used, rotate one, revoke one. */
export function KeysView(): ReactNode {
  const keys = useRead('get /tenant/api-keys', {}, { everyMs });
  const [creates, setCreates] = useState(false);
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const [rotated, setRotated] = useState<ApiKey | null>(null);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const freshKey = useFreshKey();
  const show = (made: CreatedApiKey): void => {
    if (made.scopes.includes('send') && made.channelAccountIds === null) freshKey.keep(made.key);
    setCreated(made);
  };
  return (
    <Page
      title="API keys"
      about={
        <>
          API keys send messages and read their status. To manage webhooks, accounts or keys from a program,
          use a{' '}
          <Anchor component={Link} to="/tokens" underline="always" inherit>
            service token
          </Anchor>
          .
        </>
      }
      actions={
        <Button leftSection={<PlusIcon size={16} />} onClick={() => setCreates(true)}>
          Create a key
        </Button>
      }
    >
      <Loaded query={keys} what="the API keys" skeleton={<ListSkeleton />}>
        {(list) =>
          list.length === 0 ? (
            <NoKeys onAdd={() => setCreates(true)} />
          ) : (
            <>
              <KeyList keys={list} onRotate={setRotated} onRevoke={setRevoked} />
              <ListCount count={list.length} what="API key" />
            </>
          )
        }
      </Loaded>
      {creates && <CreateKey onClose={() => setCreates(false)} onCreated={show} />}
      {rotated !== null && <RotateKey apiKey={rotated} onClose={() => setRotated(null)} onRotated={show} />}
      {created !== null && <NewKey created={created} onDone={() => setCreated(null)} />}
      {revoked !== null && <RevokeKey apiKey={revoked} onClose={() => setRevoked(null)} />}
    </Page>
  );
}

function NoKeys({ onAdd }: { readonly onAdd: () => void }): ReactNode {
  return (
    <EmptyState
      title="No API keys yet"
      icon={<KeyIcon size={22} />}
      action={
        <Button variant="light" onClick={onAdd}>
          Create your first key
        </Button>
      }
    >
      Create one key per app, so that you can limit, rotate and revoke each one separately.
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
