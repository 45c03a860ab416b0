/** Pages that explain, in one file, which compresses better than two. */
export { Page as about } from './about.tsx';
export { Page as questions } from './questions.tsx';
