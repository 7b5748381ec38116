import { Kbd, Modal, Text, TextInput } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { SearchIcon } from '../../parts/icons.tsx';
import classes from './commands.module.css';
import type { Command } from './matching.ts';
import { useCommands } from './use-commands.ts';
import { useOpened } from './use-opened.ts';

/** The list of commands: what is typed narrows it, the arrows choose, and Enter runs. */
export function Palette({
  opened,
  onClose,
  showShortcuts,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly showShortcuts: () => void;
}): ReactNode {
  // The page that a command leads to takes the focus itself.
  const [leaves, setLeaves] = useState(false);
  const run = (command: Command): void => {
    setLeaves(command.leaves === true);
    onClose();
    command.run();
  };
  return (
    <Modal
      opened={useOpened(opened)}
      onClose={onClose}
      title="Go to…"
      yOffset="12vh"
      centered={false}
      returnFocus={!leaves}
      onExitTransitionEnd={() => setLeaves(false)}
    >
      <Choice run={run} showShortcuts={showShortcuts} />
    </Modal>
  );
}

function Choice({
  run,
  showShortcuts,
}: {
  readonly run: (command: Command) => void;
  readonly showShortcuts: () => void;
}): ReactNode {
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const commands = useCommands(typed, showShortcuts);
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = commands[at];
    if (step !== undefined && commands.length > 0) setAt((at + step + commands.length) % commands.length);
    else if (event.key === 'Enter' && chosen !== undefined) run(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <TextInput
        data-autofocus
        role="combobox"
        aria-label="Command, message ID or phone number"
        placeholder="A view, a message ID or a phone number"
        aria-expanded={commands.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={commands.length === 0 ? undefined : `${listId}-${at}`}
        autoComplete="off"
        leftSection={<SearchIcon size={16} />}
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <Options id={listId} commands={commands} at={at} onPoint={setAt} onRun={run} />
      <Text size="sm" c="dimmed" role="status">
        {commands.length === 0 && 'Nothing found.'}
      </Text>
    </>
  );
}

function Options({
  id,
  commands,
  at,
  onPoint,
  onRun,
}: {
  readonly id: string;
  readonly commands: readonly Command[];
  /** The place of the chosen one. */
  readonly at: number;
  readonly onPoint: (at: number) => void;
  readonly onRun: (command: Command) => void;
}): ReactNode {
  if (commands.length === 0) return null;
  return (
    <ul id={id} role="listbox" aria-label="Commands" className={classes.commands}>
      {commands.map((command, index) => (
        <Option
          key={command.label}
          id={`${id}-${index}`}
          command={command}
          isChosen={index === at}
          onPoint={() => onPoint(index)}
          onRun={() => onRun(command)}
        />
      ))}
    </ul>
  );
}

function Option({
  id,
  command: { label, keys },
  isChosen,
  onPoint,
  onRun,
}: {
  readonly id: string;
  readonly command: Command;
  readonly isChosen: boolean;
  readonly onPoint: () => void;
  readonly onRun: () => void;
}): ReactNode {
  // The arrows may lead to a row that is out of sight.
  const show = (row: HTMLLIElement | null): void => {
    if (isChosen) row?.scrollIntoView({ block: 'nearest' });
  };
  return (
    // The keyboard is that of the input, whose `aria-activedescendant` names this row.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <li
      id={id}
      ref={show}
      role="option"
      aria-selected={isChosen}
      className={classes.command}
      onPointerMove={onPoint}
      onClick={onRun}
    >
      <span>{label}</span>
      {keys !== undefined && <Keys keys={keys} />}
    </li>
  );
}

/** The keys of a shortcut: `g m`, one after the other. */
export function Keys({ keys }: { readonly keys: string }): ReactNode {
  return (
    <span className={classes.keys}>
      {keys.split(' ').map((key) => (
        <Kbd key={key}>{key}</Kbd>
      ))}
    </span>
  );
}
