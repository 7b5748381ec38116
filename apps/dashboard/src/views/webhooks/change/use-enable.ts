import { notifications } from '@mantine/notifications';
import { useChange } from '../../../api/hooks.ts';

/** Enables a webhook. */
export function useEnable(id: string): { readonly isPending: boolean; readonly run: () => void } {
  const { mutate, isPending } = useChange('patch /v1/webhooks/{id}/enable', {
    refresh: ['get /v1/webhooks', 'get /v1/webhooks/{id}'],
  });
  const run = (): void =>
    mutate(
      { path: { id } },
      {
        onSuccess: () =>
          notifications.show({ message: 'Webhook enabled. Use Replay to deliver missed events.' }),
        onError: ({ message }) =>
          notifications.show({ color: 'red', title: 'Could not enable the webhook', message }),
      },
    );
  return { isPending, run };
}
