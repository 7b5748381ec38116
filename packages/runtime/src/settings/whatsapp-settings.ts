import { baseUrl, integer, publicKey, seconds, threePartVersion, urlOf } from './setting-kinds.ts';

/** The settings of linked WhatsApp devices, as rows of the settings table. */
export const whatsappSettings = {
  whatsappWebVersion: {
    variable: 'WHATSAPP_WEB_VERSION',
    kind: threePartVersion,
    fallback: null,
    about:
      'WhatsApp Web version that linked devices report. If unset: the version of the library. Set it when WhatsApp has retired that version, which shows as code 405.',
  },
  whatsappWebUrl: {
    variable: 'WHATSAPP_WEB_URL',
    kind: urlOf('ws', 'wss'),
    fallback: null,
    about: "Server that linked devices connect to. If unset: WhatsApp's own. Only set it for tests.",
  },
  whatsappWebRootKey: {
    variable: 'WHATSAPP_WEB_ROOT_KEY',
    kind: publicKey,
    fallback: null,
    about:
      "Public key that authenticates the server linked devices connect to. If unset: WhatsApp's own. Only set it for tests.",
  },
  whatsappMediaUrl: {
    variable: 'WHATSAPP_MEDIA_URL',
    kind: baseUrl,
    fallback: 'https://mmg.whatsapp.net',
    about: 'Server that the files of received messages are fetched from. Only set it for tests.',
  },
  whatsappPartitions: {
    variable: 'WHATSAPP_PARTITIONS',
    kind: integer(1, 1_000),
    fallback: '16',
    about:
      'Number of partitions of the linked devices. Each partition is held by one `whatsapp-sessions` process, so additional processes stay idle. Must be the same in every process. A `whatsapp-sessions` that starts with another number waits until all with the old number have ended.',
  },
  whatsappKeepAliveMs: {
    variable: 'WHATSAPP_KEEP_ALIVE_SECONDS',
    kind: seconds(1, 60),
    fallback: '20',
    unit: 'seconds',
    about:
      'Interval of keep-alive pings of a linked device. Without a response for 15 more seconds, it reconnects.',
  },
  whatsappAckMs: {
    variable: 'WHATSAPP_ACK_SECONDS',
    kind: seconds(1, 60),
    fallback: '30',
    unit: 'seconds',
    about:
      'How long to wait for the server to acknowledge a message. After that, the device reconnects and repeats the message.',
  },
} as const;
