/** Code that no first paint needs, in one file, which compresses better than two. */
export { refusalWords } from './refusals.ts';
export { openSocket } from './socket.ts';
