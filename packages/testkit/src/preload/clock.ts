// node --import '…/clock.ts?offsetMs=600000': the wall clock is off by this time; timers and the monotonic clock are
// right.
const offsetMs = Number(new URL(import.meta.url).searchParams.get('offsetMs'));
const RealDate = Date;
const now = (): number => RealDate.now() + offsetMs;

globalThis.Date = new Proxy(RealDate, {
  get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
  apply: () => new RealDate(now()).toString(),
  construct: (target, values: unknown[]) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values) as object,
});
