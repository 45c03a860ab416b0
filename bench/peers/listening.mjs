/** Sends the server's address to the bench. */
export function listening(server) {
  server.once('listening', () => process.send?.({ port: server.address().port }));
  process.once('disconnect', () => process.exit(0));
}
