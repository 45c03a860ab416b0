/** The lower parts of a round, an agent and the forecast in one file, which compresses better than three. */
export * from './agent-detail.tsx';
export * from './evidence.tsx';
export * from './forecast-charts.tsx';
