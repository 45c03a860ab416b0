/** Pages of boards and agents, in one file, which compresses better than three. */
export { Page as agents } from './agents.tsx';
export { Page as boards } from './boards.tsx';
export { Page as embedBoard } from './embed-board.tsx';
