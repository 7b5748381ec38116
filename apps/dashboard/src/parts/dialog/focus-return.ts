/** What the focus goes back to after a dialog: the element itself, or the button of the menu that it is an item of. */
export function openerOf(element: Element | null): HTMLElement | null {
  const menu = element?.closest('[role="menu"]') ?? null;
  const buttonId = menu?.getAttribute('aria-labelledby') ?? null;
  const opener = buttonId === null ? element : document.getElementById(buttonId);
  return opener instanceof HTMLElement && opener !== document.body ? opener : null;
}

/**
 * Gives the focus back to what opened a dialog. If that leaves the page, now or before the focus moves on, the heading of
 * the page gets it (WCAG 2.2, 2.4.3): the focus is never lost.
 */
export function giveFocusBack(opener: HTMLElement | null): void {
  if (opener?.isConnected === true) opener.focus({ preventScroll: true });
  if (!isLost()) watch(opener);
  // A dialog that opens in this moment takes the focus itself.
  else setTimeout(focusHeading);
}

function isLost(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body;
}

function focusHeading(): void {
  if (isLost()) document.querySelector<HTMLElement>('h1[tabindex]')?.focus({ preventScroll: true });
}

/** A change may remove the button that asked for it, a moment after its dialog has closed. */
function watch(opener: HTMLElement | null): void {
  const observer = new MutationObserver(() => {
    if (opener?.isConnected === true) return;
    observer.disconnect();
    focusHeading();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => document.addEventListener('focusin', () => observer.disconnect(), { once: true }));
}
