import { Button, NativeSelect, Skeleton, Stack, TextInput } from '@mantine/core';
import type { ChannelAccount } from '@notify/sdk';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useParams } from 'react-router';
import { useRead } from '../../../api/hooks.ts';
import { BackLink } from '../../../parts/back-link.tsx';
import { PlusIcon, SearchIcon } from '../../../parts/icons.tsx';
import { useFilter } from '../../../parts/list/use-filter.ts';
import { Loaded } from '../../../parts/loaded.tsx';
import { Page } from '../../../shell/page.tsx';
import { AddConsent } from './add-consent.tsx';
import { type ConsentFilter, readFilter, writeFilter } from './consent-filter.ts';
import { ConsentList } from './consent-list.tsx';
import classes from './consent.module.css';

const addressed = { read: readFilter, write: writeFilter, replaces: true };

/** Who wants messages from an account and who does not. The filters are part of the address. */
export function ConsentView(): ReactNode {
  const { id = '' } = useParams();
  const account = useRead('get /v1/channel-accounts/{id}', { path: { id } });
  return (
    <Loaded
      query={account}
      what="the account"
      notFound="account"
      skeleton={<Skeleton height={320} radius="lg" />}
    >
      {(found) => <Consents account={found} />}
    </Loaded>
  );
}

function Consents({ account }: { readonly account: ChannelAccount }): ReactNode {
  const [filter, change] = useFilter(addressed);
  const [adds, setAdds] = useState(false);
  return (
    <Page
      title="Consent"
      back={<BackLink to={`/channels/${account.id}`}>{account.name}</BackLink>}
      actions={
        <Button leftSection={<PlusIcon size={16} />} onClick={() => setAdds(true)}>
          Record consent
        </Button>
      }
    >
      <Stack gap="md">
        <div className={classes.filters} role="search" aria-label="Consent">
          <Search key={filter.recipient} filter={filter} onChange={change} />
          <NativeSelect
            aria-label="Status"
            value={filter.status ?? ''}
            data={[
              { value: '', label: 'Any status' },
              { value: 'opted-out', label: 'Opted out' },
              { value: 'opted-in', label: 'Opted in' },
            ]}
            onChange={({ currentTarget: { value } }) =>
              change({ status: value === 'opted-out' || value === 'opted-in' ? value : null })
            }
          />
        </div>
        <ConsentList key={writeFilter(filter).toString()} account={account} filter={filter} />
      </Stack>
      {adds && <AddConsent account={account} onClose={() => setAdds(false)} />}
    </Page>
  );
}

function Search({
  filter,
  onChange,
}: {
  readonly filter: ConsentFilter;
  readonly onChange: (part: Partial<ConsentFilter>) => void;
}): ReactNode {
  const [typed, setTyped] = useState(filter.recipient ?? '');
  const search = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onChange({ recipient: typed.trim() === '' ? null : typed.trim() });
  };
  return (
    <form onSubmit={search} className={classes.search}>
      <TextInput
        type="search"
        aria-label="Recipient"
        placeholder="Recipient"
        leftSection={<SearchIcon size={16} />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => {
          if (typed.trim() === '' && filter.recipient !== null) onChange({ recipient: null });
        }}
      />
      <Button type="submit" variant="default">
        Search
      </Button>
    </form>
  );
}
