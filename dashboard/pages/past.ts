/** Pages of what is over, in one file, which compresses better than three. */
export { Page as archive } from './archive.tsx';
export { Page as frozen } from './frozen.tsx';
export { Page as rounds } from './rounds.tsx';
