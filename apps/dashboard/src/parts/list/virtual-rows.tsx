import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import classes from '../parts.module.css';

/** Rows drawn beyond each edge of the window, so that scrolling by keyboard finds them. */
const overscan = 12;

/**
 * The rows of a table that may be long: only those near the window are in the page. A row has any height. The first row
 * has the index 2, because the header is a row too.
 */
export function VirtualRows<Item>({
  items,
  idOf,
  heightPx,
  children,
}: {
  readonly items: readonly Item[];
  readonly idOf: (item: Item) => string;
  /** The usual height of a row. */
  readonly heightPx: number;
  readonly children: (item: Item, ariaRowIndex: number) => ReactNode;
}): ReactNode {
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const offset = useOffset(box);
  const rows = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => heightPx,
    getItemKey: (index) => idOf(items[index]!),
    scrollMargin: offset,
    overscan,
    useFlushSync: false,
  });
  return (
    <div ref={setBox} role="rowgroup" className={classes.virtual} style={{ height: rows.getTotalSize() }}>
      {rows.getVirtualItems().map(({ key, index, start }) => (
        <div
          key={key}
          ref={rows.measureElement}
          data-index={index}
          role="none"
          className={classes.virtualRow}
          style={{ transform: `translateY(${start - offset}px)` }}
        >
          {children(items[index]!, index + 2)}
        </div>
      ))}
    </div>
  );
}

/** The distance of an element from the beginning of the page, in px. Parts above it come and go. */
function useOffset(box: HTMLElement | null): number {
  const [offset, setOffset] = useState(0);
  const known = useRef(0);
  // After every rendering: nothing tells when something above has changed its height.
  useLayoutEffect(() => {
    if (box === null) return;
    const now = Math.round(box.getBoundingClientRect().top + window.scrollY);
    if (now === known.current) return;
    known.current = now;
    setOffset(now);
  });
  return offset;
}
