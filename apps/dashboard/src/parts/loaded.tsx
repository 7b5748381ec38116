import type { ReactNode } from 'react';
import { ApiProblem } from '../api/failure.ts';
import { NotFound } from '../shell/not-found.tsx';
import { LoadFailed } from './load-failed.tsx';

/** The part of a query's state that is looked at. */
interface Query<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  refetch(): unknown;
}

/**
 * What was read, or in its place a skeleton of the same size, the reason why it could not be read, or that there is no
 * such thing. What is there stays while it is read anew, also when that fails.
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
  /** What a 404 says is not there: `webhook`. */
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
    <div aria-busy="true" aria-label="Loading">
      {skeleton}
    </div>
  );
}
