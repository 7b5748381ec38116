import { scrub } from '@notify/core';
import type { TemplateChange } from '../adapter/channel.ts';
import { textAt } from '../reading/pointer.ts';
import { statusAfter } from './template-status.ts';

/**
 * The change that a callback of the field `message_template_status_update` tells; null if it tells none
 * (developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/message_template_status_update).
 */
export function readTemplateChange(value: unknown): TemplateChange | null {
  const name = textAt(value, '/message_template_name');
  const language = textAt(value, '/message_template_language');
  const status = statusAfter(textAt(value, '/event'), textAt(value, '/other_info/title'));
  if (name === null || language === null || status === null) return null;
  const reason = status === 'approved' ? null : reasonIn(value);
  return { name: scrub(name, 512), language: scrub(language, 20), status, reason };
}

/** Meta's reason and what it says about it in one line. */
function reasonIn(value: unknown): string | null {
  const words = ['/reason', '/rejection_info/reason', '/other_info/description']
    .flatMap((at) => textAt(value, at) ?? [])
    .filter((text) => text !== '' && text !== 'NONE');
  return words.length === 0 ? null : scrub(words.join(': '), 500);
}
