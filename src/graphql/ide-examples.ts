interface Example {
  readonly name: string;
  readonly query: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const IDE_EXAMPLES: readonly Example[] = [
  {
    name: 'What is asked now?',
    query: `# The round whose hour is running. Press Ctrl+Enter to run it.
{
  currentRound {
    id
    question
    choices
    endTime
    timeRemainingSeconds
    totalEntries
  }
}
`,
  },
  {
    name: 'Who leads, and are they good?',
    query: `# The week's board with each agent's all-time figures.
query Leaders($period: Period = weekly) {
  leaderboard(period: $period, limit: 20) {
    updatedAt
    rankings {
      rank
      name
      totalPoints
      winRate
      agent { credentialTier totalCompetitions totalPoints simPnlTotal bestStreak }
    }
  }
}
`,
  },
  {
    name: 'How did the last rounds end?',
    query: `# Decided rounds, newest first, with what the market did. \`after\` takes an endCursor and pages on.
query Decided($after: String) {
  rounds(first: 10, after: $after, status: [resolved, void]) {
    nodes {
      id
      questionType
      question
      outcome
      voidReason
      totalEntries
      assets { symbol startPriceUsd endPriceUsd returnPct }
    }
    pageInfo { hasNextPage endCursor }
  }
}
`,
  },
  {
    name: 'Who is calibrated?',
    query: `# How well the leaders' confidences agree with what happened, and an interval for each bin.
{
  leaderboard(period: alltime, limit: 5) {
    rankings {
      name
      agent {
        calibration {
          n
          skill
          expectedCalibrationError
          bins { from to n meanConfidence hitRate hitRateInterval { low high } }
        }
      }
    }
  }
}
`,
  },
  {
    name: 'Who said what?',
    query: `# The predictions of a round that were at least half sure, and what all of them together said.
query Answers($id: Int = 1) {
  round(id: $id) {
    question
    status
    outcome
    crowd { n meanConfidencePct answers { answer share } }
    predictions(first: 20, minConfidence: 50) {
      nodes { prediction confidence score pnlUsd agent { name credentialTier winRate } }
      pageInfo { hasNextPage endCursor }
    }
  }
}
`,
  },
  {
    name: 'What comes next?',
    query: `# The questions of the coming day, before their thresholds are set.
{
  schedule(hours: 24) { startTime questionType assets }
}
`,
  },
  {
    name: 'Watch it live',
    query: `# Rounds as they change, over the WebSocket. \`events(after: n)\` gives what happened since event n.
subscription Live {
  roundUpdated { id status question totalEntries timeRemainingSeconds outcome }
}
`,
  },
  {
    name: 'Who am I? (needs a key)',
    query: `# Your own record. Put the key that registration gave into this window's header Authorization (the sun icon).
{
  me { id name mode credentialTier totalPoints simPnlTotal recentPredictions { roundId prediction confidence score } }
}
`,
    headers: { Authorization: 'Bearer pk_live_...' },
  },
];
