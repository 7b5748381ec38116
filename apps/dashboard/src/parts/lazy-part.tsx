import { type ComponentType, lazy, type LazyExoticComponent, type ReactNode } from 'react';
import { loadPatiently } from '../session/load-patiently.ts';
import { useSession } from '../session/session-context.ts';

/**
 * A part of a view that is loaded when it is first shown. It needs a `Suspense` around it. Unlike React's `lazy`, it
 * waits while the service is unreachable.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => ReactNode {
  let Part: LazyExoticComponent<ComponentType<Props>> | null = null;
  return function LazyPart(props) {
    const session = useSession();
    Part ??= lazy(async () => ({ default: await loadPatiently(load, session) }));
    return <Part {...props} />;
  };
}
