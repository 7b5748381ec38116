import type { MediaRule, MediaType } from '../adapter/channel.ts';

const megabyte = 1024 * 1024;

/**
 * The media types that Meta accepts (developers.facebook.com/docs/whatsapp/cloud-api/reference/media, "Supported media
 * types"): WebP only for stickers, OGG only with Opus, no caption on audio.
 */
export const media: Readonly<Record<MediaType, MediaRule>> = {
  image: { maxBytes: 5 * megabyte, mimeTypes: ['image/jpeg', 'image/png'], caption: true },
  video: { maxBytes: 16 * megabyte, mimeTypes: ['video/mp4', 'video/3gpp'], caption: true },
  audio: {
    maxBytes: 16 * megabyte,
    mimeTypes: ['audio/aac', 'audio/mpeg', 'audio/mp4', 'audio/ogg; codecs=opus'],
    caption: false,
  },
  document: { maxBytes: 100 * megabyte, mimeTypes: 'any', caption: true },
};
