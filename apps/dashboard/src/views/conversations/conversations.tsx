import { Text } from '@mantine/core';
import { type ReactNode } from 'react';
import { useParams } from 'react-router';
import { useFilter } from '../../parts/list/use-filter.ts';
import { Page } from '../../shell/page.tsx';
import { ConversationFilters } from './conversation-filters.tsx';
import { ConversationList } from './conversation-list.tsx';
import classes from './conversations.module.css';
import { readFilter, writeFilter } from './filter.ts';
import { ThreadPane } from './thread-pane.tsx';

const addressed = { read: readFilter, write: writeFilter, replaces: true };

/**
 * The conversations with people who wrote to an account, and the one that is open. On a narrow screen only one of the
 * two is shown. The filters are part of the address.
 */
export function ConversationsView(): ReactNode {
  const { id } = useParams();
  const [filter, change] = useFilter(addressed);
  const key = writeFilter(filter).toString();
  return (
    <Page
      title="Conversations"
      about="People who wrote to one of your accounts, and your replies."
      isFolded={id !== undefined}
    >
      <div className={classes.panes} {...(id === undefined ? {} : { 'data-open': true })}>
        <section className={classes.side} aria-label="All conversations">
          <ConversationFilters filter={filter} onChange={change} />
          <ConversationList key={key} filter={filter} open={id ?? null} />
        </section>
        <div className={classes.main}>
          {id === undefined ? (
            <Text c="dimmed" size="sm" className={classes.choose}>
              Choose a conversation to read it.
            </Text>
          ) : (
            <ThreadPane key={id} id={id} />
          )}
        </div>
      </div>
    </Page>
  );
}
