import type { AccountLink } from '@notify/sdk';

/** The view of an account's linking. */
export type LinkView =
  | { readonly kind: 'unlinked' }
  /** Requested, but there is no code yet, or the next code has not arrived. */
  | { readonly kind: 'preparing' }
  | { readonly kind: 'qr'; readonly text: string; readonly endsAt: string }
  | { readonly kind: 'code'; readonly text: string; readonly endsAt: string }
  | { readonly kind: 'connected'; readonly phone: string }
  | { readonly kind: 'unlinking' }
  | { readonly kind: 'failed'; readonly reason: string };

/** The view for a link's state, as the api reports it. */
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

/** Whole seconds until then, at least 0. `aheadMs`: how far the server's clock is ahead of this one. */
export function secondsLeft(endsAt: string, nowMs: number, aheadMs: number): number {
  return Math.max(0, Math.ceil((Date.parse(endsAt) - (nowMs + aheadMs)) / 1000));
}

/**
 * How far the server's clock is ahead of the reader's, from the `Date` of an answer that has just arrived; 0 without
 * one. A difference of a second or less may be rounding, and counts as 0.
 */
export function clockAheadMs(dateHeader: string | null, nowMs: number): number {
  const toldMs = dateHeader === null ? NaN : Date.parse(dateHeader);
  if (Number.isNaN(toldMs)) return 0;
  const aheadMs = toldMs - nowMs;
  return Math.abs(aheadMs) <= 1_500 ? 0 : aheadMs;
}

/**
 * The announcement for screen readers when the view changes. Seconds are not announced, because they would drown
 * everything else.
 */
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
