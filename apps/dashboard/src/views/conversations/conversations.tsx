import { Text } from '@mantine/core';
import { type ReactNode } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { Page } from '../../shell/page.tsx';
import { ConversationFilters } from './conversation-filters.tsx';
import { ConversationList } from './conversation-list.tsx';
import classes from './conversations.module.css';
import { readFilter, writeFilter } from './filter.ts';
import { ThreadPane } from './thread-pane.tsx';

/**
 * The conversations with people who wrote to an account, and the one that is open. On a narrow screen only one of the
 * two is shown. The filters are part of the address.
 */
export function ConversationsView(): ReactNode {
  const { id } = useParams();
  const [search, setSearch] = useSearchParams();
  const filter = readFilter(search);
  const key = writeFilter(filter).toString();
  return (
    <Page
      title="Conversations"
      about="People who wrote to one of your accounts, and your replies."
      isFolded={id !== undefined}
    >
      <div className={classes.panes} {...(id === undefined ? {} : { 'data-open': true })}>
        <section className={classes.side} aria-label="All conversations">
          <ConversationFilters
            filter={filter}
            onChange={(changed) =>
              setSearch(writeFilter(changed), { replace: true, preventScrollReset: true })
            }
          />
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
