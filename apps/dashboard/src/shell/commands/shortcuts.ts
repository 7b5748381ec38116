/** A key press, with what decides whether it is a shortcut. */
export interface Press {
  readonly key: string;
  /** Control, or Command on a Mac. */
  readonly hasControl: boolean;
  readonly hasAlt: boolean;
  /** Whether the key belongs to what has the focus: an input, a menu, a list or a dialog. */
  readonly isTaken: boolean;
  /** In ms. */
  readonly at: number;
}

/** What a shortcut does: opens the list of commands or that of shortcuts, or goes to a path. */
export type Shortcut = 'commands' | 'help' | { readonly to: string };

/** The time for the letter after `g`, in ms. */
const letterWithinMs = 1_500;

/**
 * Reads shortcuts out of key presses: Control and K, `?`, and `g` with the letter of a place. `hasSingleKeys` says whether
 * those without Control are on (WCAG 2.2, 2.1.4).
 */
export function createShortcuts(
  places: readonly { readonly to: string; readonly letter?: string }[],
  hasSingleKeys: () => boolean,
): (press: Press) => Shortcut | null {
  let beganAt = -Infinity;
  return ({ key, hasControl, hasAlt, isTaken, at }) => {
    const follows = at - beganAt <= letterWithinMs;
    beganAt = -Infinity;
    if (isTaken || hasAlt) return null;
    if (hasControl) return key.toLowerCase() === 'k' ? 'commands' : null;
    if (!hasSingleKeys()) return null;
    if (key === '?') return 'help';
    const place = follows ? places.find(({ letter }) => letter === key) : undefined;
    if (place !== undefined) return { to: place.to };
    if (key === 'g') beganAt = at;
    return null;
  };
}

const takers =
  'input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox], [role=textbox]';

/** Whether keys belong to this element, or to one around it. */
export function takesKeys(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(takers) !== null;
}

const stored = 'notify-single-key-shortcuts';

/** Whether shortcuts of a single key are on. The choice is stored in this browser. */
export function hasSingleKeys(): boolean {
  return localStorage.getItem(stored) !== 'off';
}

/** Turns shortcuts of a single key on or off. */
export function setSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(stored);
  else localStorage.setItem(stored, 'off');
}
