import { useEffect, useState } from 'react';

/**
 * Whether a dialog is open, and false at first: Mantine gives the focus back to what had it when the dialog opened, which it
 * sees only of a dialog that is there before.
 */
export function useOpened(wanted: boolean): boolean {
  const [opened, setOpened] = useState(false);
  useEffect(() => setOpened(wanted), [wanted]);
  return opened;
}
