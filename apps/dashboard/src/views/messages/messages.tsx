import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router';
import { SendIcon } from '../../parts/icons.tsx';
import { Page } from '../../shell/page.tsx';
import { isReversed, readFilter, writeFilter } from './filter.ts';
import { Filters } from './filters.tsx';
import { MoreActions } from './many/more-actions.tsx';
import { MessageList } from './message-list.tsx';
import { SendTest } from './send/send-test.tsx';

/** All messages, newest first, updated live. The filters are part of the address, and of the way back. */
export function MessagesView(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const [sends, setSends] = useState(false);
  const filter = readFilter(search);
  const key = writeFilter(filter).toString();
  return (
    <Page
      title="Messages"
      about="Messages you sent and received, their status, and why some failed."
      actions={
        <>
          <MoreActions filter={filter} />
          <Button leftSection={<SendIcon size={16} />} onClick={() => setSends(true)}>
            Send test message
          </Button>
        </>
      }
    >
      <Filters
        filter={filter}
        onChange={(changed) => setSearch(writeFilter(changed), { preventScrollReset: true })}
      />
      {/* The filter itself says what is wrong with it. */}
      {!isReversed(filter) && <MessageList key={key} filter={filter} onSend={() => setSends(true)} />}
      {sends && <SendTest onClose={() => setSends(false)} />}
    </Page>
  );
}
