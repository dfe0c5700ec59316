# Kith with its own Node and PostgreSQL. Any command follows the name of the image: docker run --rm kith doctor
ARG NODE=docker.io/library/node:24-trixie-slim
ARG DEBIAN=docker.io/library/debian:trixie-slim

FROM ${NODE} AS build
WORKDIR /app
COPY . .
RUN npm run build && rm -rf node_modules/.cache

FROM ${DEBIAN}
COPY --from=build /app /app
RUN useradd --uid 10001 --user-group --no-create-home kith \
  && install -d -o kith -g kith /data \
  && ln -s /app/node_modules/node-linux-*/bin/node /usr/local/bin/node
ENV DATA_DIR=/data HOST=0.0.0.0 LOG=stdout
USER kith
WORKDIR /app
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/scripts/bootstrap.mjs"]
CMD ["start"]
