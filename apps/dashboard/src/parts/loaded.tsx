import type { ReactNode } from 'react';
import { ApiProblem } from '../api/failure.ts';
import { NotFound } from '../shell/not-found.tsx';
import { LoadFailed } from './load-failed.tsx';

/** The fields of a query's state that are used. */
interface Query<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  refetch(): unknown;
}

/**
 * Shows the data of a read. Without data it shows a skeleton of the same size, the reason for a failure, or that the
 * thing does not exist. Existing data stays visible during later reads, and if they fail.
 */
export function Loaded<Data>({
  query,
  skeleton,
  what,
  notFound,
  children,
}: {
  readonly query: Query<Data>;
  readonly skeleton: ReactNode;
  /** As the end of a sentence: `the webhooks`. */
  readonly what?: string;
  /** The thing that does not exist after a 404: `webhook`. */
  readonly notFound?: string;
  readonly children: (data: Data) => ReactNode;
}): ReactNode {
  const { data, error } = query;
  const isGone = error instanceof ApiProblem && error.status === 404;
  if (isGone && notFound !== undefined) return <NotFound what={notFound} />;
  if (data !== undefined) return children(data);
  if (error !== null) {
    return (
      <LoadFailed
        error={error}
        retry={() => void query.refetch()}
        {...(what === undefined ? {} : { what })}
      />
    );
  }
  return (
    <div role="group" aria-busy="true" aria-label="Loading">
      {skeleton}
    </div>
  );
}
