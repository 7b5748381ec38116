// Shows a person how far a step is: for tools/prepare.mjs, so plain JavaScript that needs no package.

/** How often a line on a terminal is written anew, in ms. */
const everyMs = 500;
/** Back to the begin of the line, which is emptied (ECMA-48: CR, EL). */
const erase = '\r\u001b[K';

/**
 * Shows steps, one at a time. On a terminal the line of the present step is written anew twice a second, with the seconds
 * that it has taken, so nobody looks at a screen that stands still. Elsewhere each step is one line.
 */
export function showSteps(stream, now = () => performance.now()) {
  const isLive = stream.isTTY === true;
  let timer;
  let redraw = () => undefined;
  const clear = () => {
    clearInterval(timer);
    redraw = () => undefined;
    if (isLive) stream.write(erase);
  };
  return {
    /**
     * Begins a step. `line` is what is told of it where there is no terminal; `far` says how far it is, on a terminal.
     */
    begin(line, far = () => line) {
      if (!isLive) return void stream.write(`${line}\n`);
      clear();
      const began = now();
      redraw = () => {
        const text = `${far()} (${Math.round((now() - began) / 1000)} s)`;
        // A line that is longer than the terminal is wide could not be written anew.
        stream.write(`${erase}${text.slice(0, Math.max(1, (stream.columns || 80) - 1))}`);
      };
      redraw();
      timer = setInterval(() => redraw(), everyMs);
    },
    /**
     * Writes a line above that of the present step.
     */
    note(line) {
      stream.write(`${isLive ? erase : ''}${line}\n`);
      redraw();
    },
    /**
     * Ends the present step. Its line gives way to this one, if there is one.
     */
    end(line) {
      clear();
      if (line !== undefined) stream.write(`${line}\n`);
    },
  };
}
