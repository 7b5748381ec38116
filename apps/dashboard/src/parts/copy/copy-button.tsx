import { ActionIcon, Button, Tooltip, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CheckIcon, CopyIcon } from '../icons.tsx';

const toldMs = 1_500;

/** Copies a text and confirms that. `label` names the text; `wide` shows a button with words instead of an icon. */
export function CopyButton({
  text,
  label,
  wide = false,
  focus = false,
}: {
  readonly text: string;
  /** Such as `Copy the key`. */
  readonly label: string;
  readonly wide?: boolean;
  /** In a dialog: gets the focus when it opens. */
  readonly focus?: boolean;
}): ReactNode {
  const [told, setTold] = useState<string | null>(null);
  const copy = async (): Promise<void> => {
    setTold((await copyText(text)) ? 'Copied' : 'Copy failed: select the text instead');
    setTimeout(() => setTold(null), toldMs);
  };
  const symbol = told === 'Copied' ? <CheckIcon /> : <CopyIcon />;
  const state = <VisuallyHidden role="status">{told}</VisuallyHidden>;
  if (wide) {
    return (
      <Button variant="light" leftSection={symbol} onClick={() => void copy()}>
        {told ?? label}
        {state}
      </Button>
    );
  }
  return (
    <Tooltip label={told ?? label} {...(told === null ? {} : { opened: true })}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        onClick={() => void copy()}
        {...(focus ? { 'data-autofocus': true } : {})}
      >
        {symbol}
        {state}
      </ActionIcon>
    </Tooltip>
  );
}

/**
 * Copies a text to the clipboard. Returns false if the browser does not allow that (without https there is no
 * clipboard).
 */
async function copyText(text: string): Promise<boolean> {
  if ('clipboard' in navigator) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  return false;
}
