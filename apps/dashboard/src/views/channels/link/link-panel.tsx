import { Skeleton, VisuallyHidden } from '@mantine/core';
import type { ChannelAccount } from '@notify/sdk';
import type { ReactNode } from 'react';
import { LoadFailed } from '../../../parts/load-failed.tsx';
import { Linked } from './linked.tsx';
import { LinkStart } from './link-start.tsx';
import { announcementOf, linkView } from './link-view.ts';
import { ShownCode, ShownQr, Unlinking } from './link-steps.tsx';
import { useLink } from './use-link.ts';

/** Links an account to a phone. Shows each step live. */
export function LinkPanel({ account }: { readonly account: ChannelAccount }): ReactNode {
  const { link, aheadMs, failure, retry } = useLink(account.id);
  if (failure !== null) return <LoadFailed error={failure} retry={retry} what="the phone link" />;
  if (link === undefined) return <Skeleton h={120} />;
  const view = linkView(link);
  return (
    <>
      <VisuallyHidden role="status">{announcementOf(view)}</VisuallyHidden>
      {panelOf()}
    </>
  );

  function panelOf(): ReactNode {
    switch (view.kind) {
      case 'unlinked':
        return <LinkStart id={account.id} reason={null} />;
      case 'failed':
        return <LinkStart id={account.id} reason={view.reason} />;
      case 'preparing':
        return <ShownQr id={account.id} shown={null} aheadMs={aheadMs} />;
      case 'qr':
        return <ShownQr id={account.id} shown={view} aheadMs={aheadMs} />;
      case 'code':
        return <ShownCode id={account.id} shown={view} aheadMs={aheadMs} />;
      case 'connected':
        return <Linked account={account} phone={view.phone} care={link?.care ?? null} />;
      case 'unlinking':
        return <Unlinking />;
    }
  }
}
