import { registerHooks } from 'node:module';

/*
 * node --import: at its end, the process writes a line that says how many modules of OpenTelemetry's SDK and of ours it has loaded.
 * prom-client loads OpenTelemetry's API, which does nothing by itself.
 */
let sdk = 0;
let ours = 0;

registerHooks({
  load(url, context, nextLoad) {
    if (/\/@opentelemetry\/(?!api\/)/.test(url)) sdk += 1;
    if (/\/(apps|packages)\/[\w-]+\/src\//.test(url)) ours += 1;
    return nextLoad(url, context);
  },
});

process.on('exit', () => process.stdout.write(`${JSON.stringify({ msg: 'loaded modules', sdk, ours })}\n`));
