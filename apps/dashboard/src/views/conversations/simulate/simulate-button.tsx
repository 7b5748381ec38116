import { Button } from '@mantine/core';
import type { ChannelAccount } from '@notify/sdk';
import { type ReactNode, useState } from 'react';
import { Dialog } from '../../../parts/dialog/dialog.tsx';
import { SimulateForm } from './simulate-form.tsx';

/** Opens a dialog that simulates an inbound message to one of these sandbox accounts. */
export function SimulateButton({ accounts }: { readonly accounts: readonly ChannelAccount[] }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="light" onClick={() => setOpen(true)}>
        Simulate an inbound message
      </Button>
      {isOpen && (
        <Dialog onClose={() => setOpen(false)} title="Simulate an inbound message">
          <SimulateForm accounts={accounts} onDone={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}
