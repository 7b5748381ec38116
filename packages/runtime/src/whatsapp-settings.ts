import { integer, publicKey, seconds, threePartVersion, urlOf } from './setting-kinds.ts';

/** The settings of linked WhatsApp devices; rows of the table of settings. */
export const whatsappSettings = {
  whatsappWebVersion: {
    variable: 'WHATSAPP_WEB_VERSION',
    kind: threePartVersion,
    fallback: null,
    about:
      'The version that linked devices say they are. Unset: that of the library. To be set when WhatsApp has retired it, which shows as code 405.',
  },
  whatsappWebUrl: {
    variable: 'WHATSAPP_WEB_URL',
    kind: urlOf('ws', 'wss'),
    fallback: null,
    about: "Where linked devices connect to. Unset: WhatsApp's own address; another is for tests.",
  },
  whatsappWebRootKey: {
    variable: 'WHATSAPP_WEB_ROOT_KEY',
    kind: publicKey,
    fallback: null,
    about:
      "The public key that vouches for the server linked devices connect to. Unset: WhatsApp's own; another is for tests.",
  },
  whatsappPartitions: {
    variable: 'WHATSAPP_PARTITIONS',
    kind: integer(1, 1_000),
    fallback: '16',
    about:
      'Parts that the linked devices are divided into; each is held by one `whatsapp-sessions`, so more processes have nothing to do. The same in every process. A `whatsapp-sessions` that starts with another number waits until all that run with the old one have ended.',
  },
  whatsappKeepAliveMs: {
    variable: 'WHATSAPP_KEEP_ALIVE_SECONDS',
    kind: seconds(1, 60),
    fallback: '20',
    unit: 'seconds',
    about:
      'How often a linked device asks for a sign of life. One that has heard nothing for 15 seconds more is connected anew.',
  },
  whatsappAckMs: {
    variable: 'WHATSAPP_ACK_SECONDS',
    kind: seconds(1, 60),
    fallback: '30',
    unit: 'seconds',
    about:
      "How long the server's answer to a message is awaited before its device is connected anew and the message repeated.",
  },
} as const;
