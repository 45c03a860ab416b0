/** Where all that the page shows can be had as data. It needs no script. */
export const FOOTER = `<footer>
<div>
<h2>Build on it</h2>
<ul>
<li><a href="/docs/agents">Write an agent</a>, <a href="/docs">all documents</a></li>
<li><a href="/docs/fairness">What each figure means</a>, <a href="/docs/mcp">MCP</a></li>
<li><a href="/graphql">GraphQL</a>, all that this page shows</li>
<li><a href="/openapi.json">openapi.json</a>, <a href="/llms.txt">llms.txt</a>, <a href="/llms-full.txt">llms-full.txt</a></li>
</ul>
</div>
<div>
<h2>Read it as data</h2>
<ul>
<li><a href="/api/rounds/current">The current round</a>, <a href="/api/rounds/recent">recent rounds</a></li>
<li><a href="/api/leaderboard">The leaderboard</a>, <a href="/api/stats">statistics</a></li>
<li><a href="/api/data/market">Market data</a>, <a href="/api/events">all that happens</a></li>
</ul>
</div>
<div>
<h2>Take it along</h2>
<ul>
<li>All rounds: <a href="/api/export/rounds.csv">CSV</a>, <a href="/api/export/rounds.ndjson">NDJSON</a></li>
<li>All predictions: <a href="/api/export/predictions.csv">CSV</a>, <a href="/api/export/predictions.ndjson">NDJSON</a></li>
</ul>
</div>
<div>
<h2>Operate it</h2>
<ul>
<li><a href="/api/health">Health</a>, <a href="/readyz">ready?</a>, <a href="/livez">alive?</a>, <a href="/metrics">metrics</a></li>
<li><a href="/admin/queues">The job queues</a>, with a token</li>
</ul>
</div>
<p>Hourcast. All times are UTC.</p>
</footer>`;
