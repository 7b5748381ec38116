import { Modal } from '@mantine/core';
import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { giveFocusBack, openerOf } from './focus-return.ts';

/** Whether the dialog around another one closes together with it. */
const ClosingContext = createContext<RefObject<boolean> | null>(null);

/**
 * Every dialog of the dashboard. Mounted only while it is open. It starts on the element with `data-autofocus`, or else on
 * its first field, also if that is loaded later. Escape closes only the topmost one. At its end the focus returns to
 * what opened it.
 */
export function Dialog({
  title,
  size = 'md',
  closesOnClickOutside = true,
  onClose,
  children,
}: {
  readonly title: string;
  /** The width: `lg` is for a form with many inputs, `xl` leaves room for two columns. */
  readonly size?: 'md' | 'lg' | 'xl';
  readonly closesOnClickOutside?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactNode {
  const root = useRef<HTMLDivElement>(null);
  const closing = useFocusReturn();
  useEscape(root, onClose);
  return (
    <Modal
      ref={root}
      opened
      onClose={onClose}
      title={title}
      size={size}
      closeOnClickOutside={closesOnClickOutside}
      closeOnEscape={false}
      returnFocus={false}
    >
      <ClosingContext value={closing}>
        <Start>{children}</Start>
      </ClosingContext>
    </Modal>
  );
}

/** Remembers what had the focus, and gives it back. Tells the dialogs within when this one closes. */
function useFocusReturn(): RefObject<boolean> {
  const around = useContext(ClosingContext);
  const closing = useRef(false);
  // Read while rendering: the menu whose item opens the dialog is gone after it.
  const [before] = useState(() => openerOf(document.activeElement));
  useLayoutEffect(() => {
    closing.current = false;
    // A dialog that has just closed has given the focus back already.
    const opener = before?.isConnected === true ? before : openerOf(document.activeElement);
    return () => {
      closing.current = true;
      if (around?.current !== true) giveFocusBack(opener);
    };
    // What opened it does not change.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return closing;
}

/** Mantine's own listener would close all open dialogs at once. */
function useEscape(root: RefObject<HTMLElement | null>, onClose: () => void): void {
  const listen = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
    // An open list of options closes first.
    const target = event.target as Element | null;
    if (target?.getAttribute('data-mantine-stop-propagation') === 'true') return;
    const topmost = [...document.querySelectorAll('[role="dialog"][aria-modal="true"]')].at(-1);
    if (topmost === undefined || root.current?.contains(topmost) !== true) return;
    event.preventDefault();
    onClose();
  });
  useEffect(() => {
    window.addEventListener('keydown', listen, { capture: true });
    return () => window.removeEventListener('keydown', listen, { capture: true });
  }, []);
}

const marked = '[data-autofocus]';
const fields = 'input:not([type="hidden"], :disabled), select:not(:disabled), textarea:not(:disabled)';

/** Focuses where the dialog starts, as soon as that is there. */
function Start({ children }: { readonly children: ReactNode }): ReactNode {
  const body = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const within = body.current!;
    const start = (): void => {
      const first =
        within.querySelector<HTMLElement>(marked) ?? within.querySelector<HTMLElement>(fields) ?? null;
      if (first === null) return;
      observer.disconnect();
      // Mantine's focus trap looks for the mark, and would else focus the close button.
      first.setAttribute('data-autofocus', 'true');
      if (!within.contains(document.activeElement)) first.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(start);
    observer.observe(within, { childList: true, subtree: true });
    start();
    return () => observer.disconnect();
  }, []);
  return <div ref={body}>{children}</div>;
}
