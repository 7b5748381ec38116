import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import type { Webhook } from '@notify/sdk';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import {
  DocsIcon,
  KeyIcon,
  MoreIcon,
  PauseIcon,
  PencilIcon,
  PlayIcon,
  RefreshIcon,
  SendIcon,
  TrashIcon,
} from '../../parts/icons.tsx';
import { ChangeWebhook } from './change/change-webhook.tsx';
import { DisableWebhook } from './change/disable-webhook.tsx';
import { RemoveWebhook } from './change/remove-webhook.tsx';
import { ReplayDialog } from './replay/replay-dialog.tsx';
import { RotateSecret } from './change/rotate-secret.tsx';
import { useEnable } from './change/use-enable.ts';
import { useTestEvent } from './change/use-test-event.ts';

type Dialog = 'change' | 'disable' | 'rotate' | 'replay' | 'remove';

/** The actions on a webhook: the frequent ones as buttons, the rest in a menu. */
export function WebhookActions({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const test = useTestEvent(webhook.id);
  const close = (): void => setDialog(null);
  return (
    <Group gap="xs" wrap="nowrap">
      {webhook.isActive && (
        <>
          <Button
            variant="default"
            leftSection={<SendIcon size={16} />}
            loading={test.isPending}
            onClick={test.send}
          >
            Send test event
          </Button>
          <Button
            variant="default"
            leftSection={<RefreshIcon size={16} />}
            onClick={() => setDialog('replay')}
          >
            Replay
          </Button>
        </>
      )}
      <MoreActions webhook={webhook} open={setDialog} />
      {dialog === 'change' && <ChangeWebhook webhook={webhook} onClose={close} />}
      {dialog === 'disable' && <DisableWebhook webhook={webhook} onClose={close} />}
      {dialog === 'rotate' && <RotateSecret webhook={webhook} onClose={close} />}
      {dialog === 'replay' && <ReplayDialog webhook={webhook} onClose={close} />}
      {dialog === 'remove' && <RemoveWebhook webhook={webhook} onClose={close} />}
    </Group>
  );
}

function MoreActions({
  webhook: { id, isActive },
  open,
}: {
  readonly webhook: Webhook;
  readonly open: (dialog: Dialog) => void;
}): ReactNode {
  const enable = useEnable(id);
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label="More actions">
          <MoreIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<PencilIcon size={16} />} onClick={() => open('change')}>
          Edit…
        </Menu.Item>
        <Menu.Item leftSection={<KeyIcon size={16} />} onClick={() => open('rotate')}>
          Rotate secret…
        </Menu.Item>
        <Menu.Item
          component={Link}
          to={`/webhooks/verify?webhook=${id}`}
          leftSection={<DocsIcon size={16} />}
        >
          Verify signatures
        </Menu.Item>
        {isActive ? (
          <Menu.Item leftSection={<PauseIcon size={16} />} onClick={() => open('disable')}>
            Disable…
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<PlayIcon size={16} />} onClick={enable.run}>
            Enable
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<TrashIcon size={16} />} onClick={() => open('remove')}>
          Remove…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
