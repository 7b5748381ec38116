import type { TemplateStatus } from '@notify/core';

/**
 * Meta's statuses in a list
 * (developers.facebook.com/documentation/business-messaging/whatsapp/templates/template-management) and its events
 * (…/whatsapp/webhooks/reference/message_template_status_update). A flagged or locked template can still be sent; an
 * archived or deleted one cannot.
 */
const statuses: ReadonlyMap<string, TemplateStatus> = new Map([
  ['APPROVED', 'approved'],
  ['REINSTATED', 'approved'],
  ['FLAGGED', 'approved'],
  ['PENDING', 'pending'],
  ['IN_APPEAL', 'pending'],
  ['REJECTED', 'rejected'],
  ['PAUSED', 'paused'],
  ['DISABLED', 'disabled'],
  ['PENDING_DELETION', 'disabled'],
  ['DELETED', 'disabled'],
  ['ARCHIVED', 'disabled'],
  ['LIMIT_EXCEEDED', 'disabled'],
]);

/** The titles of a lock or unlock that pauses a template, or ends a pause. */
const locks: ReadonlyMap<string, TemplateStatus> = new Map([
  ['FIRST_PAUSE', 'paused'],
  ['SECOND_PAUSE', 'paused'],
  ['RATE_LIMITING_PAUSE', 'paused'],
  ['UNPAUSE', 'approved'],
  ['DISABLED', 'disabled'],
]);

/** Our status for one of Meta's in a list. One we do not know may not be sent: it counts as pending. */
export function listedStatus(status: string): TemplateStatus {
  return statuses.get(status) ?? 'pending';
}

/** Our status after an event of Meta's; null if the event does not tell. `title` is that of a lock or unlock. */
export function statusAfter(event: string | null, title: string | null): TemplateStatus | null {
  if (event === 'LOCKED' || event === 'UNLOCKED') return locks.get(title ?? '') ?? null;
  return statuses.get(event ?? '') ?? null;
}
