import type { ReactNode } from 'react';
import { DocsIcon, ImageIcon, SoundIcon, VideoIcon } from '../../../parts/icons.tsx';

const icons = { image: ImageIcon, video: VideoIcon, audio: SoundIcon, document: DocsIcon } as const;

/** The icon of a kind of file. Its name must stand beside it. */
export function FileIcon({ type }: { readonly type: keyof typeof icons }): ReactNode {
  const Icon = icons[type];
  return <Icon size={22} />;
}
