import { Button, Skeleton, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useRead } from '../../api/hooks.ts';
import type { ApiKey, CreatedApiKey } from '../../api/schema.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { KeyIcon, PlusIcon } from '../../parts/icons.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useFreshKey } from '../../session/fresh-key.ts';
import { Page } from '../../shell/page.tsx';
import { CreateKey } from './create-key.tsx';
import { KeyList } from './key-list.tsx';
import { NewKey } from './new-key.tsx';
import { RevokeKey } from './revoke-key.tsx';

/** The API keys: create one, see which are used, revoke one. */
export function KeysView(): ReactNode {
  const keys = useRead('get /tenant/api-keys');
  const [creates, setCreates] = useState(false);
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const freshKey = useFreshKey();
  const show = (made: CreatedApiKey): void => {
    freshKey.keep(made.key);
    setCreated(made);
  };
  return (
    <Page
      title="API keys"
      about="API keys authenticate your apps. A key can send and retrieve messages, nothing else."
      actions={
        <Button leftSection={<PlusIcon size={16} />} onClick={() => setCreates(true)}>
          Create a key
        </Button>
      }
    >
      <Loaded query={keys} what="the API keys" skeleton={<ListSkeleton />}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title="No API keys yet" icon={<KeyIcon size={22} />}>
              Create one key per app, so you can revoke each on its own.
            </EmptyState>
          ) : (
            <KeyList keys={list} onRevoke={setRevoked} />
          )
        }
      </Loaded>
      {creates && <CreateKey onClose={() => setCreates(false)} onCreated={show} />}
      {created !== null && <NewKey created={created} onDone={() => setCreated(null)} />}
      {revoked !== null && <RevokeKey apiKey={revoked} onClose={() => setRevoked(null)} />}
    </Page>
  );
}

function ListSkeleton(): ReactNode {
  return (
    <Stack gap="sm">
      <Skeleton height={84} radius="lg" />
      <Skeleton height={84} radius="lg" />
    </Stack>
  );
}
