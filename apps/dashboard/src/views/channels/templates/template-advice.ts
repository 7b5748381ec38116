import type { Template } from '@notify/core';
import type { Advice } from '../account-advice.ts';

/** Where a provider's templates are made and changed, as the end of a sentence. */
const places: Readonly<Record<string, string>> = {
  'whatsapp-cloud': 'in WhatsApp Manager',
  twilio: 'in Twilio’s Content Template Builder',
};

export function placeOf(provider: string): string {
  return places[provider] ?? 'at the provider';
}

/**
 * Advice about a template that cannot be sent; null if it can. How long Meta pauses a template:
 * https://developers.facebook.com/docs/whatsapp/business-management-api/message-templates/template-pausing
 */
export function adviceOnTemplate(
  { status, reason }: Pick<Template, 'status' | 'reason'>,
  provider: string,
): Advice | null {
  const place = placeOf(provider);
  const isMeta = provider === 'whatsapp-cloud';
  const detail = reason === null ? null : `Reason from the provider: ${reason}`;
  switch (status) {
    case 'approved':
      return null;
    case 'pending':
      return {
        tone: 'waiting',
        title: 'Waiting for approval',
        detail,
        toDo: `${isMeta ? 'Meta usually decides within 24 hours. ' : ''}The template can be sent once it is approved.`,
      };
    case 'rejected':
      return {
        tone: 'problem',
        title: 'Rejected',
        detail,
        toDo: `Edit the template ${place} and submit it again${isMeta ? ', or appeal there' : ''}.`,
      };
    case 'paused':
      return {
        tone: 'waiting',
        title: 'Paused',
        detail,
        toDo: isMeta
          ? 'Recipients gave negative feedback. Meta pauses a template for 3 hours, then for 6 hours, and then disables it. It resumes automatically. Until then, send another template.'
          : 'Send another template until the provider resumes this one.',
      };
    case 'disabled':
      return {
        tone: 'problem',
        title: 'Disabled',
        detail,
        toDo: isMeta
          ? `The template can no longer be sent. Create another one ${place}, or appeal there.`
          : `The template cannot be sent. Change it ${place}, then sync again.`,
      };
  }
}
