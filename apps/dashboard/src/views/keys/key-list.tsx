import type { ApiKey } from '@notify/sdk';
import type { ReactNode } from 'react';
import { useRead } from '../../api/hooks.ts';
import rows from '../../parts/list/rows.module.css';
import { type KeyActions, KeyRow } from './key-row.tsx';

/** The keys, newest first, without their secrets. */
export function KeyList({ keys, ...actions }: { readonly keys: readonly ApiKey[] } & KeyActions): ReactNode {
  const { data: accounts } = useRead('get /v1/channel-accounts');
  const newestFirst = keys.toSorted((one, other) => other.createdAt.localeCompare(one.createdAt));
  return (
    <ul className={rows.list} aria-label="API keys">
      {newestFirst.map((key) => (
        <KeyRow
          key={key.id}
          apiKey={key}
          isNamesake={keys.some(({ id, name }) => id !== key.id && name === key.name)}
          accounts={accounts ?? null}
          {...actions}
        />
      ))}
    </ul>
  );
}
