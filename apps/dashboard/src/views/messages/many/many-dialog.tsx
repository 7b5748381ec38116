import { Alert, Button, Loader, Progress, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Dialog } from '../../../parts/dialog/dialog.tsx';
import { DialogFoot } from '../../../parts/dialog/dialog-foot.tsx';
import { WarningIcon } from '../../../parts/icons.tsx';
import { amount } from '../../../parts/time/time-text.ts';

/** What a long piece of work is given. */
export interface Tools {
  /** Hears how far it has come. */
  readonly onCount: (count: number) => void;
  /** Aborted when the dialog closes. */
  readonly signal: AbortSignal;
}

/** Work on many messages: first they are counted, then the dialog asks, and only then it is done. */
export interface Many<Found> {
  /** A question: `Resend messages?` */
  readonly title: string;
  readonly find: (tools: Tools) => Promise<Found>;
  readonly countOf: (found: Found) => number;
  /** What will happen, with the number. */
  readonly question: (found: Found) => ReactNode;
  /** Said instead where there is none. */
  readonly none: string;
  /** The label of the button, with the number. */
  readonly confirm: (count: number) => string;
  readonly isDangerous?: boolean;
  /** Resolves to what has become of them. */
  readonly run: (found: Found, tools: Tools) => Promise<ReactNode>;
}

type Phase<Found> =
  | { readonly kind: 'finding'; readonly count: number }
  | { readonly kind: 'asks'; readonly found: Found }
  | { readonly kind: 'running'; readonly found: Found; readonly count: number }
  | { readonly kind: 'ended'; readonly result: ReactNode }
  | { readonly kind: 'failed'; readonly error: Error };

/** Counts, asks, and shows the progress. Closing it stops the work; what was done stays done. Mounted only while open. */
export function ManyDialog<Found>({
  many,
  onClose,
}: {
  readonly many: Many<Found>;
  /** Hears whether the work was done to its end. */
  readonly onClose: (isDone: boolean) => void;
}): ReactNode {
  const [phase, run] = useMany(many);
  const away = useRef<HTMLButtonElement>(null);
  const close = (): void => onClose(phase.kind === 'ended');
  const total = phase.kind === 'asks' || phase.kind === 'running' ? many.countOf(phase.found) : 0;
  const isOver = phase.kind === 'ended' || phase.kind === 'failed' || (phase.kind === 'asks' && total === 0);
  return (
    <Dialog title={many.title} onClose={close}>
      <Stack>
        <div aria-live="polite">
          <What phase={phase} many={many} total={total} />
        </div>
        <DialogFoot>
          <Button ref={away} variant="default" onClick={close} data-autofocus>
            {isOver ? 'Close' : phase.kind === 'running' ? 'Stop' : 'Cancel'}
          </Button>
          {phase.kind === 'asks' && total > 0 && (
            <Button
              {...(many.isDangerous ? { color: 'red.9' } : {})}
              onClick={() => {
                // This button leaves the page with the focus.
                away.current?.focus();
                run(phase.found);
              }}
            >
              {many.confirm(total)}
            </Button>
          )}
        </DialogFoot>
      </Stack>
    </Dialog>
  );
}

/** How far the work is, and the way to begin it. It is stopped when the dialog closes. */
function useMany<Found>(many: Many<Found>): readonly [Phase<Found>, (found: Found) => void] {
  const [phase, setPhase] = useState<Phase<Found>>({ kind: 'finding', count: 0 });
  const controller = useRef(new AbortController());

  async function follow(
    work: (tools: Tools) => Promise<Phase<Found>>,
    at: (count: number) => Phase<Found>,
    { signal }: AbortController,
  ): Promise<void> {
    const show = (next: Phase<Found>): void => {
      if (!signal.aborted) setPhase(next);
    };
    show(at(0));
    try {
      show(await work({ signal, onCount: (count) => show(at(count)) }));
    } catch (failure) {
      show({ kind: 'failed', error: failure instanceof Error ? failure : new Error(String(failure)) });
    }
  }

  const find = useEffectEvent(() =>
    follow(
      async (tools) => ({ kind: 'asks', found: await many.find(tools) }),
      (count) => ({ kind: 'finding', count }),
      controller.current,
    ),
  );
  useEffect(() => {
    const mine = new AbortController();
    controller.current = mine;
    void find();
    return () => mine.abort();
  }, []);

  const run = (found: Found): void =>
    void follow(
      async (tools) => ({ kind: 'ended', result: await many.run(found, tools) }),
      (count) => ({ kind: 'running', found, count }),
      controller.current,
    );
  return [phase, run];
}

function What<Found>({
  phase,
  many,
  total,
}: {
  readonly phase: Phase<Found>;
  readonly many: Many<Found>;
  readonly total: number;
}): ReactNode {
  switch (phase.kind) {
    case 'finding':
      return (
        <Stack gap="xs" align="center">
          <Loader />
          <Text size="sm">Searching: {amount(phase.count)} found so far.</Text>
        </Stack>
      );
    case 'asks':
      return <Text size="sm">{total === 0 ? many.none : many.question(phase.found)}</Text>;
    case 'running':
      return (
        <Stack gap="xs">
          <Progress value={(100 * phase.count) / Math.max(1, total)} aria-label="Progress" />
          <Text size="sm">
            {amount(phase.count)} of {amount(total)} done.
          </Text>
        </Stack>
      );
    case 'ended':
      return <Text size="sm">{phase.result}</Text>;
    case 'failed':
      return (
        <Alert color="red" icon={<WarningIcon />} role="alert">
          {phase.error.message}
        </Alert>
      );
  }
}
