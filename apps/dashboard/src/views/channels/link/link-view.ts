import type { AccountLink } from '../../../api/schema.ts';

/** What the reader sees of an account's linking. */
export type LinkView =
  | { readonly kind: 'unlinked' }
  /** Asked for, and nothing to show yet, or the next code is not there yet. */
  | { readonly kind: 'preparing' }
  | { readonly kind: 'qr'; readonly text: string; readonly endsAt: string }
  | { readonly kind: 'code'; readonly text: string; readonly endsAt: string }
  | { readonly kind: 'connected'; readonly phone: string }
  | { readonly kind: 'unlinking' }
  | { readonly kind: 'failed'; readonly reason: string };

/** What is to be shown for the state of a link as the api tells it. */
export function linkView(link: Pick<AccountLink, 'step' | 'wanted'> & Partial<AccountLink>): LinkView {
  if (link.wanted === 'unlink') return { kind: 'unlinking' };
  const { step, qr, code, expiresAt: endsAt } = link;
  switch (step) {
    case 'display-qr':
      return qr === undefined || endsAt === undefined
        ? { kind: 'preparing' }
        : { kind: 'qr', text: qr, endsAt };
    case 'display-code':
      return code === undefined || endsAt === undefined
        ? { kind: 'preparing' }
        : { kind: 'code', text: code, endsAt };
    case 'connected':
      return { kind: 'connected', phone: link.phone ?? '' };
    case 'failed':
      return { kind: 'failed', reason: link.reason ?? 'Linking failed. Try again.' };
    case 'idle':
      return { kind: link.wanted === 'link' ? 'preparing' : 'unlinked' };
  }
}

/** Whole seconds until then, never below 0. `aheadMs`: how far the server's clock is ahead of this one. */
export function secondsLeft(endsAt: string, nowMs: number, aheadMs: number): number {
  return Math.max(0, Math.ceil((Date.parse(endsAt) - (nowMs + aheadMs)) / 1000));
}

/**
 * How far the server's clock is ahead of the reader's, from the `Date` of an answer that came just now; 0 without one.
 * A second or less may be its rounding, and counts as none.
 */
export function clockAheadMs(dateHeader: string | null, nowMs: number): number {
  const toldMs = dateHeader === null ? NaN : Date.parse(dateHeader);
  if (Number.isNaN(toldMs)) return 0;
  const aheadMs = toldMs - nowMs;
  return Math.abs(aheadMs) <= 1_500 ? 0 : aheadMs;
}

/** What a screen reader is told when the view changes. Seconds are not announced: they would drown all else. */
export function announcementOf(view: LinkView): string {
  switch (view.kind) {
    case 'unlinked':
      return 'No phone is linked.';
    case 'preparing':
      return 'Waiting for a code from WhatsApp.';
    case 'qr':
      return 'A QR code is shown. Scan it with WhatsApp on the phone.';
    case 'code':
      return `The code to enter on the phone is ${view.text.split('').join(' ')}.`;
    case 'connected':
      return `Connected ${view.phone}.`;
    case 'unlinking':
      return 'Unlinking the phone.';
    case 'failed':
      return view.reason;
  }
}
