/** The nonce that allows this page to add style sheets (Content-Security-Policy, `style-src`). */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
}
