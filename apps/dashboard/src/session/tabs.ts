import type { AccessToken } from '@notify/sdk';

/** A message from one tab to the others. */
export type TabMessage =
  /** A new access token, so that other tabs do not have to request one. */
  | { readonly kind: 'access'; readonly access: AccessToken }
  /** The session is over. */
  | { readonly kind: 'logged-out' };

/** The connection to the dashboard's other tabs. */
export interface Tabs {
  tell(message: TabMessage): void;
  /** Runs one task after the other, over all tabs. Without locks in the browser (without https), only over this tab. */
  oneAtATime<T>(task: () => Promise<T>): Promise<T>;
}

const name = 'notify-session';

/** Opens the connection. `onMessage` receives the messages of other tabs. */
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
