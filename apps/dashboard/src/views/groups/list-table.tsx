import { Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode, RefObject } from 'react';
import type { LiveList } from '../../api/live-list.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { MoreButton } from '../../parts/list/more-button.tsx';
import { NewerButton } from '../../parts/list/newer-button.tsx';
import rows from '../../parts/list/rows.module.css';
import { VirtualRows } from '../../parts/list/virtual-rows.tsx';
import classes from './groups.module.css';

/** A list that is searched in steps, as a table of four columns. */
export function ListTable<Item>({
  list,
  table,
  name,
  what,
  idOf,
  columns,
  empty,
  children,
}: {
  readonly list: LiveList<Item>;
  /** The place of the table, by which its view knows whether it is read. */
  readonly table: RefObject<HTMLDivElement | null>;
  readonly name: string;
  /** One item: `group`. */
  readonly what: string;
  readonly idOf: (item: Item) => string;
  /** The class and the title of each column. */
  readonly columns: readonly (readonly [string | undefined, string])[];
  /** Shown in the place of an empty list. */
  readonly empty: ReactNode;
  /** The cells of an item. */
  readonly children: (item: Item) => ReactNode;
}): ReactNode {
  const { query, items, more, newer } = list;
  return (
    <Loaded query={query} what={`the ${what}s`} skeleton={<ListSkeleton />}>
      {() =>
        items.length === 0 && more === null ? (
          empty
        ) : (
          <>
            <NewerButton newer={newer} what={what} list={table} />
            <div ref={table} className={classes.anchor}>
              {items.length > 0 && (
                <div
                  role="table"
                  aria-label={name}
                  aria-rowcount={more === null ? items.length + 1 : -1}
                  className={rows.list}
                >
                  <div role="rowgroup">
                    <div role="row" aria-rowindex={1} className={`${rows.row} ${rows.header} ${classes.row}`}>
                      {columns.map(([className, title]) => (
                        <span key={title} role="columnheader" className={className}>
                          {title}
                        </span>
                      ))}
                    </div>
                  </div>
                  <VirtualRows items={items} idOf={idOf} heightPx={47}>
                    {(item, index) => (
                      <div role="row" aria-rowindex={index} className={`${rows.row} ${classes.row}`}>
                        {children(item)}
                      </div>
                    )}
                  </VirtualRows>
                </div>
              )}
            </div>
            {more !== null && items.length === 0 && (
              <Text size="sm" c="dimmed" ta="center">
                No matches among the newest {what}s. Older ones have not been searched yet.
              </Text>
            )}
            <MoreButton list={list} what={what} />
          </>
        )
      }
    </Loaded>
  );
}

function ListSkeleton(): ReactNode {
  return (
    <Stack gap={6}>
      {Array.from({ length: 5 }, (_, line) => (
        <Skeleton key={line} height={46} radius="md" />
      ))}
    </Stack>
  );
}
