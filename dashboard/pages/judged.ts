/** Pages that judge forecasters, in one file, which compresses better than two. */
export { Page as forecast } from './forecast.tsx';
export { Page as models } from './models.tsx';
