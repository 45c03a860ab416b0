/** What pages of one round, agent or forecast show below, in one file, which compresses better than three. */
export * from './agent-detail.tsx';
export * from './evidence.tsx';
export * from './forecast-charts.tsx';
