import type { Conversation } from '@notify/sdk';
import { remaining } from '../../parts/time/time-text.ts';

/** Until when free text may be sent. */
export type ReplyWindow =
  /** At any time. */
  | { readonly kind: 'none' }
  | { readonly kind: 'open'; readonly leftMs: number }
  /** `hours`: how long a window lasts. */
  | { readonly kind: 'closed'; readonly hours: number };

const hourMs = 3_600_000;

/** The window of a conversation. `replyWindowMs` is that of its provider; null without one. `nowMs`: ms since 1970. */
export function windowOf(
  { windowExpiresAt }: Pick<Conversation, 'windowExpiresAt'>,
  replyWindowMs: number | null,
  nowMs: number,
): ReplyWindow {
  if (windowExpiresAt === null && replyWindowMs === null) return { kind: 'none' };
  const leftMs = windowExpiresAt === null ? 0 : Date.parse(windowExpiresAt) - nowMs;
  if (leftMs > 0) return { kind: 'open', leftMs };
  return { kind: 'closed', hours: Math.round((replyWindowMs ?? 24 * hourMs) / hourMs) };
}

/** An open window in words. */
export function openWindowText(leftMs: number): string {
  return `Free text for ${remaining(leftMs)}`;
}
