import { useEffect, useState } from 'react';

/**
 * The token behind the `#` of a link that works once; empty if there is none. It is removed from the address bar, so
 * that it stays out of the history and of screenshots.
 */
export function useLinkToken(): string {
  const [token] = useState(() => location.hash.slice(1));
  useEffect(() => {
    history.replaceState(history.state, '', location.pathname);
  }, []);
  return token;
}
