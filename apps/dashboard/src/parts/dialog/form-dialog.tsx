import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Dialog } from './dialog.tsx';

/** Asks the form in the dialog whether something was entered. */
const UnsavedContext = createContext<RefObject<() => boolean> | null>(null);

/** Has the dialog around a form ask before it discards what was entered. */
export function useUnsaved(isDirty: () => boolean): void {
  const held = useContext(UnsavedContext);
  useEffect(() => {
    if (held !== null) held.current = isDirty;
  });
}

/** A dialog with a form, which calls `useUnsaved`. Mounted only while it is open. `children` gets the way to cancel. */
export function FormDialog({
  title,
  size = 'md',
  onClose,
  children,
}: {
  readonly title: string;
  /** The width: `lg` is for a form with many inputs, `xl` leaves room for two columns. */
  readonly size?: 'md' | 'lg' | 'xl';
  readonly onClose: () => void;
  readonly children: (cancel: () => void) => ReactNode;
}): ReactNode {
  const isDirty = useRef<() => boolean>(() => false);
  const [asks, setAsks] = useState(false);
  const cancel = (): void => {
    if (isDirty.current()) setAsks(true);
    else onClose();
  };
  return (
    <>
      <Dialog onClose={cancel} title={title} size={size}>
        <UnsavedContext value={isDirty}>{children(cancel)}</UnsavedContext>
      </Dialog>
      {asks && <DiscardQuestion onDiscard={onClose} onClose={() => setAsks(false)} />}
    </>
  );
}

/** Asks before entered values are lost. */
export function DiscardQuestion({
  onDiscard,
  onClose,
}: {
  readonly onDiscard: () => void;
  readonly onClose: () => void;
}): ReactNode {
  return (
    <ConfirmDialog
      opened
      title="Discard your changes?"
      confirm="Discard"
      cancel="Keep editing"
      onConfirm={onDiscard}
      onClose={onClose}
    >
      What you entered has not been saved.
    </ConfirmDialog>
  );
}
