/**
 * Copies a text to the clipboard. Returns false if the browser does not allow that (without https there is no
 * clipboard).
 */
export async function copyText(text: string): Promise<boolean> {
  if ('clipboard' in navigator) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  return false;
}
