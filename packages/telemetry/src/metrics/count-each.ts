import type { Counter } from 'prom-client';

/** Counts items under their labels, once for each set of labels, because a batch has few and each count looks its labels up. */
export function countEach<Label extends string, Item>(
  counter: Counter<Label>,
  items: Iterable<Item>,
  labelsOf: (item: Item) => Readonly<Record<Label, string>>,
): void {
  const groups = new Map<string, { readonly labels: Readonly<Record<Label, string>>; count: number }>();
  for (const item of items) {
    const labels = labelsOf(item);
    const key = Object.values(labels).join(' ');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { labels, count: 1 });
    else group.count += 1;
  }
  for (const { labels, count } of groups.values()) counter.inc(labels, count);
}
