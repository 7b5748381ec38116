import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { SendIcon } from '../../parts/icons.tsx';
import { isReversed } from '../../parts/list/span.ts';
import { useFilter } from '../../parts/list/use-filter.ts';
import { Page } from '../../shell/page.tsx';
import { readFilter, writeFilter } from './list/filter.ts';
import { Filters } from './list/filters.tsx';
import { MoreActions } from './many/more-actions.tsx';
import { MessageList } from './list/message-list.tsx';
import { SendTest } from './send/send-test.tsx';

const addressed = { read: readFilter, write: writeFilter };

/** All messages, newest first, updated live. The filters are part of the address, and of the way back. */
export function MessagesView(): ReactNode {
  const [filter, change] = useFilter(addressed);
  const [sends, setSends] = useState(false);
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
      <Filters filter={filter} onChange={change} />
      {/* The filter itself says what is wrong with it. */}
      {!isReversed(filter) && <MessageList key={key} filter={filter} onSend={() => setSends(true)} />}
      {sends && <SendTest onClose={() => setSends(false)} />}
    </Page>
  );
}
