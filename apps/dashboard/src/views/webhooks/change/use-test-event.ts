import { notifications } from '@mantine/notifications';
import { useChange } from '../../../api/hooks.ts';

/** Sends a test event to a webhook, and confirms that it was sent. */
export function useTestEvent(id: string): { readonly isPending: boolean; readonly send: () => void } {
  const { mutate, isPending } = useChange('post /v1/webhooks/{id}/test', {
    refresh: ['get /v1/webhooks/{id}', 'get /v1/webhooks/{id}/deliveries'],
  });
  const send = (): void =>
    mutate(
      { path: { id } },
      {
        onSuccess: () => notifications.show({ message: 'Test event sent. See the deliveries.' }),
        onError: ({ message }) =>
          notifications.show({ color: 'red', title: 'Could not send a test event', message }),
      },
    );
  return { isPending, send };
}
