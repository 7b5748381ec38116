import { useEffect, useState } from 'react';
import { patienceMs } from '../api/waiting-reads.ts';

/** Whether something has been waited for longer than `patienceMs`. */
export function useIsLate(waits: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!waits) return;
    const timer = setTimeout(() => setLate(true), patienceMs);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [waits]);
  return isLate;
}
