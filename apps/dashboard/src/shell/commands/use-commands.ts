import { useMantineColorScheme } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useNavigate } from 'react-router';
import { messageIdIn } from '../../views/messages/list/filter.ts';
import { useSession } from '../../session/session-context.ts';
import { places } from '../navigation.tsx';
import { type Command, matching, recipientIn } from './matching.ts';
import { hasSingleKeys } from './shortcuts.ts';

/** What somebody may want after typing this: the views, the documents, the theme, the way out, and what an ID or a number leads to. */
export function useCommands(typed: string, showShortcuts: () => void): readonly Command[] {
  const navigate = useNavigate();
  const session = useSession();
  const { setColorScheme } = useMantineColorScheme();
  const goTo = (label: string, to: string, keys?: string): Command => ({
    label,
    leaves: true,
    run: () => void navigate(to),
    ...(keys === undefined ? {} : { keys }),
  });
  const logOut = (): void =>
    void session
      .leave()
      .catch(({ message }: Error) =>
        notifications.show({ color: 'red', title: 'Could not log out', message }),
      );
  const messageId = messageIdIn(typed);
  const recipient = recipientIn(typed);
  const found = [
    ...(messageId === null ? [] : [goTo(`Open message ${messageId}`, `/messages/${messageId}`)]),
    ...(recipient === null
      ? []
      : [goTo(`Messages to ${recipient}`, `/messages?${new URLSearchParams({ to: recipient })}`)]),
  ];
  const hasKeys = hasSingleKeys();
  const usual: Command[] = [
    ...places.map(({ label, to, letter }) =>
      goTo(label, to, letter === undefined || !hasKeys ? undefined : `g ${letter}`),
    ),
    { label: 'API documentation', run: () => location.assign('/docs') },
    { label: 'Guides', run: () => location.assign('/docs/guides') },
    { label: 'Theme: System', run: () => setColorScheme('auto') },
    { label: 'Theme: Light', run: () => setColorScheme('light') },
    { label: 'Theme: Dark', run: () => setColorScheme('dark') },
    { label: 'Keyboard shortcuts', run: showShortcuts, ...(hasKeys ? { keys: '?' } : {}) },
    { label: 'Log out', run: logOut },
  ];
  return [...found, ...matching(usual, typed)];
}
