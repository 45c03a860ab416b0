/** Tells the bench, which started this process, where the server answers. */
export function listening(server) {
  server.once('listening', () => process.send?.({ port: server.address().port }));
  process.once('disconnect', () => process.exit(0));
}
