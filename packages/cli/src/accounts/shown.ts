import type { Notify } from '@notify/sdk';
import { localTime, paintStatus } from '../output/shown.ts';
import type { Style } from '../output/style.ts';
import { type Column, fieldLines } from '../output/table.ts';

export type Account = Awaited<ReturnType<Notify['channelAccounts']['get']>>;

/** The columns of a table of channel accounts. */
export function accountColumns(style: Style): Column<Account>[] {
  return [
    { title: 'ID', cell: ({ id }) => id },
    { title: 'STATUS', cell: ({ status }) => status, paint: paintStatus(style) },
    { title: 'CHANNEL', cell: ({ channel }) => channel },
    { title: 'NAME', cell: ({ name }) => name, shrinks: true },
    { title: 'PROVIDER', cell: ({ provider }) => provider },
    { title: 'DEFAULT', cell: ({ isDefault }) => (isDefault ? 'yes' : null) },
    { title: 'DETAIL', cell: ({ statusDetail }) => statusDetail, shrinks: true },
  ];
}

function defaultWords({ isDefault, defaultDetail }: Account): string {
  if (isDefault) return 'yes';
  return defaultDetail === null ? 'no' : `no: ${defaultDetail}`;
}

/** A channel account as labels and values. The service masks its secrets. */
export function accountLines(account: Account, style: Style): string[] {
  return fieldLines(
    [
      ['ID', account.id],
      ['Name', account.name],
      ['Channel', account.channel],
      ['Provider', account.provider],
      ['Status', account.status],
      ['Detail', account.statusDetail],
      ['Default', defaultWords(account)],
      ['Created', localTime(account.createdAt)],
      ['Last connected', localTime(account.lastConnectedAt)],
      ['Callback URL', account.callbackUrl],
      ...Object.entries(account.settings).map(
        ([name, value]) => [`  ${name}`, typeof value === 'string' ? value : JSON.stringify(value)] as const,
      ),
    ],
    style,
  );
}
