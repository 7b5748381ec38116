# One image for every process but one; the command says which: see docker-compose.yml. `--target ci` makes an image that runs
# them all, for the CI of integrators: see examples/ci.
FROM node:24-slim AS source
# What these two do for memory is in packages/runtime/src/process/memory.ts; the cache that is named there would have to be filled here.
ENV NODE_ENV=production NODE_OPTIONS=--max-semi-space-size=16 MALLOC_ARENA_MAX=2
WORKDIR /app
# The one folder here that the process may write to, if SPOOL_DIR names it. A volume takes its mode from it.
RUN mkdir -m 1777 spool
COPY package.json package-lock.json ./
COPY packages ./packages
COPY migrations ./migrations

# Linked WhatsApp devices: GPL-3.0-or-later, for the libsignal it loads.
FROM source AS whatsapp-sessions
COPY apps/whatsapp-sessions ./apps/whatsapp-sessions
# Optional packages are what a machine without Postgres or Node 24 needs; here both come from elsewhere.
RUN npm ci --omit=dev --omit=optional --no-audit --no-fund --workspace apps/whatsapp-sessions
USER node
EXPOSE 3003
HEALTHCHECK --interval=5s --timeout=4s --start-period=20s --retries=6 CMD ["sh", "-c", "exec node packages/operations/src/healthcheck.ts $HEALTH_PORT"]
CMD ["node", "apps/whatsapp-sessions/src/main.ts"]

# The dashboard, as files that the api serves; what built them stays here.
FROM source AS dashboard
COPY apps/dashboard ./apps/dashboard
RUN npm ci --omit=dev --no-audit --no-fund --workspace apps/dashboard
RUN node apps/dashboard/build/main.ts

# The sources of all the others, without anything of that.
FROM source AS service
COPY --from=dashboard /app/apps/dashboard/dist ./apps/dashboard/dist
# The api serves guides from there.
COPY docs ./docs
COPY apps/api ./apps/api
COPY apps/dispatch-worker ./apps/dispatch-worker
COPY apps/webhook-worker ./apps/webhook-worker
COPY apps/operator ./apps/operator

# Every process in one container, with a Postgres of its own (an optional package). In development mode, for tests only.
FROM service AS ci
COPY apps/all-in-one ./apps/all-in-one
COPY bin ./bin
RUN npm ci --omit=dev --no-audit --no-fund --workspace apps/api --workspace apps/dispatch-worker --workspace apps/webhook-worker --workspace apps/operator --workspace apps/all-in-one
ENV PATH=/app/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOST=0.0.0.0 PORT=3000
USER node
EXPOSE 3000
HEALTHCHECK --interval=2s --timeout=4s --retries=30 CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["notify", "all"]

# The default: one process, in production mode.
FROM service AS notify
RUN npm ci --omit=dev --omit=optional --no-audit --no-fund --workspace apps/api --workspace apps/dispatch-worker --workspace apps/webhook-worker --workspace apps/operator
USER node
# The api; then health checks and metrics of each process, which are not for the public.
EXPOSE 3000 3001 3002 3004
HEALTHCHECK --interval=5s --timeout=4s --start-period=20s --retries=6 CMD ["sh", "-c", "exec node packages/operations/src/healthcheck.ts $HEALTH_PORT"]
CMD ["node", "apps/api/src/main.ts"]
