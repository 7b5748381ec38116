import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Dialog } from './dialog.tsx';
import { SecretOnce } from './secret-once.tsx';

/** Shows a new secret, and asks before it closes for good. Mounted only while the secret is visible. */
export function SecretDialog({
  title,
  secret,
  what,
  onDone,
  children,
}: {
  readonly title: string;
  readonly secret: string;
  /** Such as `key`. */
  readonly what: string;
  readonly onDone: () => void;
  /** Instructions for the secret. */
  readonly children?: ReactNode;
}): ReactNode {
  const [asks, setAsks] = useState(false);
  return (
    <>
      <Dialog size="lg" title={title} onClose={() => setAsks(true)} closesOnClickOutside={false}>
        <SecretOnce secret={secret} what={what}>
          {children}
        </SecretOnce>
      </Dialog>
      {asks && (
        <ConfirmDialog
          opened
          title={`Have you saved the ${what}?`}
          confirm="I’ve saved it"
          isDangerous={false}
          cancel="Show it again"
          onConfirm={onDone}
          onClose={() => setAsks(false)}
        >
          You will not be able to see it again.
        </ConfirmDialog>
      )}
    </>
  );
}
