import { useSearchParams } from 'react-router';

interface Form<Filter> {
  readonly read: (search: URLSearchParams) => Filter;
  readonly write: (filter: Filter) => URLSearchParams;
  /** Whether a change replaces the address, so that "back" leaves the list. Default false. */
  readonly replaces?: boolean;
}

/**
 * A filter that is part of the address, and how to change some of it. A change builds on the address, not on what the page
 * shows: of two changes in a row, the page may not show the first one yet.
 */
export function useFilter<Filter extends object>({
  read,
  write,
  replaces = false,
}: Form<Filter>): readonly [Filter, (part: Partial<Filter>) => void] {
  const [search, setSearch] = useSearchParams();
  const change = (part: Partial<Filter>): void => {
    const now = read(new URLSearchParams(window.location.search));
    setSearch(write({ ...now, ...part }), { replace: replaces, preventScrollReset: true });
  };
  return [read(search), change];
}
