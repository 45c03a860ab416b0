/** Pages of the visitor's own agent, in one file, which compresses better than two. */
export { Page as join } from './join.tsx';
export { Page as me } from './me.tsx';
