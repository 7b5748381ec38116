import { ActionIcon, Tooltip } from '@mantine/core';
import { type ReactNode, Suspense, useCallback, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { SearchIcon } from '../../parts/icons.tsx';
import { lazyPart } from '../../parts/lazy-part.tsx';
import { places } from '../navigation.tsx';
import { createShortcuts, hasSingleKeys, takesKeys } from './shortcuts.ts';

const Palette = lazyPart(async () => (await import('./palette.tsx')).Palette);
const ShortcutHelp = lazyPart(async () => (await import('./shortcut-help.tsx')).ShortcutHelp);

type Dialog = 'commands' | 'help';

/** The button that opens the list of commands, and the shortcuts of the whole dashboard. */
export function Commands(): ReactNode {
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  // Once opened, a dialog stays mounted: only so can it give the focus back.
  const [known, setKnown] = useState<ReadonlySet<Dialog>>(new Set());
  const open = useCallback((wanted: Dialog): void => {
    setKnown((before) => new Set([...before, wanted]));
    setDialog(wanted);
  }, []);
  const close = (): void => setDialog(null);
  useEffect(() => {
    const shortcutOf = createShortcuts(places, hasSingleKeys);
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.repeat || event.isComposing) return;
      const { key, altKey: hasAlt, target, timeStamp: at } = event;
      const hasControl = event.ctrlKey || event.metaKey;
      const shortcut = shortcutOf({ key, hasControl, hasAlt, isTaken: takesKeys(target), at });
      if (shortcut === null) return;
      event.preventDefault();
      if (typeof shortcut === 'object') void navigate(shortcut.to);
      else open(shortcut);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [navigate, open]);
  return (
    <>
      <Tooltip label="Go to… (Ctrl+K)">
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label="Go to…"
          aria-keyshortcuts="Control+K"
          onClick={() => open('commands')}
        >
          <SearchIcon />
        </ActionIcon>
      </Tooltip>
      <Suspense>
        {known.has('commands') && (
          <Palette opened={dialog === 'commands'} onClose={close} showShortcuts={() => open('help')} />
        )}
        {known.has('help') && <ShortcutHelp opened={dialog === 'help'} onClose={close} />}
      </Suspense>
    </>
  );
}
