/** Puts a text on the clipboard; false where the browser does not let us (without https it has no clipboard). */
export async function copyText(text: string): Promise<boolean> {
  if ('clipboard' in navigator) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  return false;
}
