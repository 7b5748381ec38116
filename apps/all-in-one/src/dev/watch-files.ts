import { type FSWatcher, watch } from 'node:fs';
import path from 'node:path';

/** Files that are watched until `close`. */
export interface WatchedFiles {
  add(file: string): void;
  close(): void;
}

/** An editor may write a file in several steps, and a checkout writes many files. */
const togetherMs = 100;

/**
 * Calls `onSave` with the file that was saved. Saves that follow each other closely are one. It watches folders, because
 * many editors replace the file.
 */
export function watchFiles(onSave: (file: string) => void): WatchedFiles {
  const files = new Set<string>();
  const folders = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;

  function changed(file: string): void {
    if (!files.has(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => onSave(file), togetherMs);
  }

  return {
    add(file) {
      files.add(file);
      const folder = path.dirname(file);
      if (folders.has(folder)) return;
      const watcher = watch(folder, (_event, name) => {
        if (name !== null) changed(path.join(folder, name));
      });
      // A folder that is removed is no longer watched.
      watcher.on('error', () => watcher.close());
      folders.set(folder, watcher);
    },
    close() {
      clearTimeout(timer);
      for (const watcher of folders.values()) watcher.close();
    },
  };
}
