import type { MediaType } from '@notify/core';

/** The kind of message that a file of this MIME type makes. Any file but an image, a video or audio is a document. */
export function mediaTypeOf(mimeType: string | null): MediaType {
  const [main = ''] = (mimeType ?? '').toLowerCase().split('/', 1);
  return main === 'image' || main === 'video' || main === 'audio' ? main : 'document';
}
