/** The kinds of files that a message can carry. */
export const mediaTypes = [
  { value: 'image', label: 'Image' },
  { value: 'video', label: 'Video' },
  { value: 'audio', label: 'Audio' },
  { value: 'document', label: 'Document' },
] as const;
export type MediaType = (typeof mediaTypes)[number]['value'];
