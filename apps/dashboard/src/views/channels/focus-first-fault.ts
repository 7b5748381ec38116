/** Focuses the first input with a fault, once it is marked. */
export function focusFirstFault(form: HTMLElement | null): void {
  requestAnimationFrame(() => {
    requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  });
}
