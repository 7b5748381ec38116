/**
 * A number as a send's `to` takes it. Digits in international form get a plus, also after `00`. A short code, a number
 * without a country code and a name stay as they are.
 */
export function phoneAddress(written: string): string {
  const compact = written.trim().replace(/[\s().-]/g, '');
  const digits = /^(?:\+|00)?([1-9]\d{6,14})$/.exec(compact)?.[1];
  return digits === undefined ? written.trim() : `+${digits}`;
}

/**
 * As `phoneAddress`, for a sender of whom it is unknown whether digits alone have a country code. With a plus they might be
 * a stranger's number, so they become `local:` and the digits: nobody's address.
 */
export function uncertainPhoneAddress(written: string): string {
  const address = phoneAddress(written);
  return address.startsWith('+') && !/^\s*(?:\(?\+|00)/.test(written) ? `local:${address.slice(1)}` : address;
}
