import type { MediaRule, Provider } from '../adapter/channel.ts';
import { mediaLimits } from '../media/media-limits.ts';
import { refuseTemplate } from '../templates/no-templates.ts';
import { guide } from './guide.ts';
import { careOf, settings, type WhatsappWebSettings } from './settings.ts';

const notHere = 'Linked devices send from the process that holds their connection.';

/**
 * A phone linked by QR code, as WhatsApp Web is. This adapter has settings and capabilities only:
 * `apps/whatsapp-sessions` holds the connections, takes the turns and sends.
 */
export const whatsappWeb: Provider<WhatsappWebSettings> = {
  id: 'whatsapp-web',
  channel: 'whatsapp',
  name: 'WhatsApp by QR code',
  baseUrl: null,
  capabilities: {
    media: true,
    reportsDelivery: true,
    reportsRead: true,
    // A repeat has the id of the first attempt, so the recipient's phone shows one message.
    repeatIsSafe: true,
    callbacks: false,
    inbound: true,
    chatStates: ['read', 'typing'],
    linking: true,
    maxInFlight: 1,
    // Two queries about the recipient, 15 s each, and 30 s for the server's answer.
    callDeadlineMs: 75_000,
  },
  media: {
    image: takes('image', true),
    video: takes('video', true),
    audio: takes('audio', false),
    document: takes('document', true),
  },
  guide,
  settings,
  check(chosen) {
    const { minIntervalMs, maxIntervalMs } = careOf(chosen);
    if (minIntervalMs <= maxIntervalMs) return [];
    return [{ at: '/maxIntervalSeconds', message: 'must not be below minIntervalSeconds' }];
  },
  async send({ type }) {
    if (type === 'template') return refuseTemplate('A linked device');
    return { kind: 'retry', errorCode: 'provider-error', text: notHere };
  },
  async verify() {
    return { ok: false, refused: false, detail: `${notHere} Its state is the account's status.` };
  },
};

function takes(type: keyof typeof mediaLimits, caption: boolean): MediaRule {
  return { maxBytes: mediaLimits[type].maxBytes, mimeTypes: 'any', caption };
}
