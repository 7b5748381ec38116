import type { AccessToken } from '../api/schema.ts';

/** What one tab tells the others. */
export type TabMessage =
  /** Here is a new access token: nobody else needs to ask for one. */
  | { readonly kind: 'access'; readonly access: AccessToken }
  /** The session is over. */
  | { readonly kind: 'logged-out' };

/** The way to the dashboard's other tabs. */
export interface Tabs {
  tell(message: TabMessage): void;
  /** Runs one task after the other, over all tabs; where the browser has no locks (without https), in this one. */
  oneAtATime<T>(task: () => Promise<T>): Promise<T>;
}

const name = 'notify-session';

/** Opens the way; `onMessage` hears what other tabs tell. */
export function openTabs(onMessage: (message: TabMessage) => void): Tabs {
  const channel = new BroadcastChannel(name);
  channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => onMessage(data));
  let last: Promise<unknown> = Promise.resolve();
  return {
    tell: (message) => channel.postMessage(message),
    oneAtATime(task) {
      if ('locks' in navigator) return navigator.locks.request(name, task);
      const turn = last.then(task, task);
      last = turn;
      return turn;
    },
  };
}
