import type { Context } from '../context.ts';
import { flag, integer, text } from '../options.ts';
import type { Column } from './table.ts';

/** The options of every list that has pages. */
export const pageOptions = {
  limit: integer('<count>', { min: 1, max: 100 }, 'Items of a page, 1 to 100. Default 50.'),
  cursor: text('<cursor>', 'Continue after an earlier page.'),
  all: flag('All pages. With --json: one item a line.'),
};

/** A page of the API. */
interface Page<Item> {
  readonly data: readonly Item[];
  readonly nextCursor: string | null;
}

interface PageChoice {
  readonly limit: number | undefined;
  readonly cursor: string | undefined;
  readonly all: boolean | undefined;
}

/** A list of the SDK: awaited it is one page, iterated it is every item. */
export interface Pages<Item> extends PromiseLike<Page<Item>>, AsyncIterable<Item> {}

/** How rows of a list are shown to people. */
export interface Listing<Item> {
  readonly columns: readonly Column<Item>[];
  readonly empty: string;
}

const rowsAtOnce = 100;

/** Shows one page, or with `all` every item from there on. */
export async function showPages<Item>(
  { output }: Pick<Context, 'output'>,
  choice: PageChoice,
  list: (page: { readonly limit?: number; readonly cursor?: string }) => Pages<Item>,
  { columns, empty }: Listing<Item>,
): Promise<void> {
  const { limit, cursor } = choice;
  const pages = list({
    ...(limit === undefined ? {} : { limit }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  if (choice.all !== true) {
    const page = await pages;
    if (output.json) return output.document(page, () => []);
    output.table(page.data, columns, { empty });
    if (page.nextCursor !== null) output.note(`More: --cursor ${page.nextCursor}, or --all.`);
    return;
  }
  let rows: Item[] = [];
  let titles = true;
  const flush = (): void => {
    if (rows.length === 0 && !titles) return;
    output.table(rows, columns, { titles, empty });
    rows = [];
    titles = false;
  };
  for await (const item of pages) {
    if (output.json) output.item(item, () => []);
    else if (rows.push(item) >= rowsAtOnce) flush();
  }
  if (!output.json) flush();
}
