import type { Session } from './session.ts';

/** A page that was opened this long ago, in ms, may be older than the files it asks for. */
const mayBeOldMs = 10_000;

/**
 * Loads a part of the dashboard, and waits for a service that is away. One that was updated meanwhile has other files now,
 * so the page is loaded anew.
 */
export async function loadPatiently<Part>(load: () => Promise<Part>, session: Session): Promise<Part> {
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
