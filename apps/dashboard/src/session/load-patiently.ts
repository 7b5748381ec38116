import type { Session } from './session.ts';

/** A page opened longer ago than this, in ms, may be older than the files it requests. */
const mayBeOldMs = 10_000;

let isFirst = true;

/**
 * Loads a part of the dashboard, and waits while the service is unreachable. After an update of the service the files
 * have other names, so an old page is reloaded.
 */
export async function loadPatiently<Part>(load: () => Promise<Part>, session: Session): Promise<Part> {
  // Chromium never requests a script again that it could not load. The page itself has just been loaded, so the first one can be.
  if (!isFirst) await session.reached();
  isFirst = false;
  try {
    return await load();
  } catch {
    await session.reached();
    return await load().catch((error: unknown) => {
      if (performance.now() > mayBeOldMs) location.reload();
      throw error;
    });
  }
}
