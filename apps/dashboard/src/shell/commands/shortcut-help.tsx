import { Modal, Switch } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { places } from '../navigation.tsx';
import classes from './commands.module.css';
import { Keys } from './palette.tsx';
import { hasSingleKeys, setSingleKeys } from './shortcuts.ts';
import { useOpened } from './use-opened.ts';

const always = [
  ['Go to a view, a message or a recipient', 'Ctrl K'],
  ['Close a dialog or a menu', 'Esc'],
] as const;

/** All shortcuts, and the switch of those that are a single key. */
export function ShortcutHelp({
  opened,
  onClose,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const [isOn, setOn] = useState(hasSingleKeys);
  const turn = (wanted: boolean): void => {
    setOn(wanted);
    setSingleKeys(wanted);
  };
  return (
    <Modal opened={useOpened(opened)} onClose={onClose} title="Keyboard shortcuts">
      <dl className={classes.shortcuts}>
        {always.map(([what, keys]) => (
          <Shortcut key={keys} what={what} keys={keys} />
        ))}
        {isOn && (
          <>
            <Shortcut what="Show these shortcuts" keys="?" />
            {places.map(
              ({ label, letter }) =>
                letter !== undefined && <Shortcut key={letter} what={label} keys={`g ${letter}`} />,
            )}
          </>
        )}
      </dl>
      <Switch
        mt="md"
        label="Shortcuts without Ctrl"
        description="Turn them off if your keyboard or a voice control presses these keys by accident."
        checked={isOn}
        onChange={({ currentTarget }) => turn(currentTarget.checked)}
      />
    </Modal>
  );
}

function Shortcut({ what, keys }: { readonly what: string; readonly keys: string }): ReactNode {
  return (
    <div>
      <dt>{what}</dt>
      <dd>
        <Keys keys={keys} />
      </dd>
    </div>
  );
}
