"""What the endpoints take and answer, as types. Written by `npm run codegen:clients` from the service's reference."""

from __future__ import annotations

from typing import Dict, List, Literal, Optional, TypedDict, Union

__all__ = [
    "Activation",
    "AdminActionEvent",
    "AdminActionEventPayload",
    "Agent",
    "AgentMode",
    "AgreedCandle",
    "Amendment",
    "AnswerProbability",
    "ArchiveKind",
    "ArchivedBoard",
    "ArchivedRow",
    "ArchivesExportRow",
    "Asset",
    "AssetPrice",
    "BenchmarkName",
    "BenchmarkRecord",
    "BenchmarkRow",
    "Benchmarks",
    "Briefing",
    "BriefingRound",
    "Budget",
    "Calibration",
    "CalibrationFigures",
    "Candle",
    "Candles",
    "CandlesExportRow",
    "Change",
    "ChangeKind",
    "Changes",
    "CheckpointRecord",
    "Clock",
    "CredentialHolders",
    "CurrentRound",
    "Edge",
    "EdgeEstimate",
    "Entries",
    "Entry",
    "ErrorBody",
    "ErrorCode",
    "Event",
    "EventHead",
    "EventSegment",
    "Evidence",
    "EvidenceAmendments",
    "EvidenceExportRow",
    "FieldError",
    "Forecast",
    "ForecastCandidate",
    "ForecastEvent",
    "ForecastEventPayload",
    "ForecastRecord",
    "ForecastsExportRow",
    "Health",
    "HeartbeatEvent",
    "HeartbeatEventPayload",
    "HourSoFar",
    "Interval",
    "Leaderboard",
    "LeaderboardChangedEvent",
    "LeaderboardChangedEventPayload",
    "LeaderboardRow",
    "Luck",
    "Market",
    "MarketSource",
    "Mistake",
    "ModelRow",
    "Models",
    "MyLimits",
    "MyPredictions",
    "MyRounds",
    "NewStandingRow",
    "NextRound",
    "OwnAgent",
    "OwnPrediction",
    "OwnProfile",
    "OwnRound",
    "OwnRoundState",
    "Period",
    "Picks",
    "Prediction",
    "PredictionFormat",
    "PredictionProof",
    "PredictionsExportRow",
    "PriceView",
    "Profile",
    "Punctuality",
    "QuestionParams",
    "QuestionPayload",
    "QuestionType",
    "QuotesExportRow",
    "RankInterval",
    "RationalesExportRow",
    "RecentPrediction",
    "RecentRound",
    "RecentRounds",
    "RecordedForecast",
    "Reference",
    "ReferenceBasis",
    "ReferencePoint",
    "ReferencePrice",
    "ReferencesExportRow",
    "RegisteredAgent",
    "Registration",
    "Results",
    "RotatedKey",
    "Round",
    "RoundAmendedEvent",
    "RoundAmendedEventPayload",
    "RoundAnswer",
    "RoundClosedEvent",
    "RoundClosedEventPayload",
    "RoundDetails",
    "RoundForecast",
    "RoundOpenedEvent",
    "RoundResolvedEvent",
    "RoundResolvedEventPayload",
    "RoundResult",
    "RoundStatus",
    "RoundStoredEvent",
    "RoundUnansweredEvent",
    "RoundUnansweredEventPayload",
    "RoundVoidEvent",
    "RoundVoidEventPayload",
    "RoundsExportRow",
    "Schedule",
    "ScheduledRound",
    "ScoredPrediction",
    "ServiceKey",
    "ServiceKeys",
    "Signature",
    "SignedRecord",
    "SourceCandle",
    "SourceState",
    "StandingAppliedEvent",
    "StandingAppliedEventPayload",
    "StandingLapse",
    "StandingLapsedEvent",
    "StandingLapsedEventPayload",
    "StandingPredictions",
    "StandingRow",
    "Stats",
    "Submission",
    "Tier",
    "TierChangedEvent",
    "TierChangedEventPayload",
    "Upcoming",
    "UpdatedAgent",
    "UpdatedProfile",
    "VoidReason",
    "Webhook",
    "WebhookAnswer",
    "WebhookDeliveries",
    "WebhookDelivery",
    "WebhookDisabledEvent",
    "WebhookState",
    "Webhooks",
]

# Within a major version codes keep their names and meanings; new ones may be added.
ErrorCode = Literal["bad_request", "invalid_parameter", "missing_parameter", "unknown_parameter", "repeated_parameter", "invalid_body", "invalid_json", "body_too_large", "unreadable_request", "headers_too_large", "request_timeout", "method_not_allowed", "not_current_round", "no_current_round", "round_locked", "invalid_document", "query_too_large", "unauthenticated", "missing_key", "key_without_bearer", "malformed_key", "invalid_key", "forbidden", "spectator_cannot_predict", "agent_blocked", "foreign_origin", "webhooks_off", "not_found", "unknown_path", "unknown_round", "archived_round", "unknown_agent", "unknown_prediction", "unknown_tile", "unknown_segment", "unknown_archive", "unknown_webhook", "results_not_ready", "conflict", "name_taken", "already_predicted", "idempotency_key_reused", "too_many_webhooks", "rate_limited", "too_many_connections", "export_running", "unavailable", "no_prices_yet", "database_unavailable", "took_too_long", "internal"]

# Whether an agent takes part or only holds its name.
AgentMode = Literal["compete", "spectate"]

# A level earned by an agent's record; it can be lost again.
Tier = Literal["bronze", "silver", "gold", "diamond"]

# A window of resolved rounds, counted back from the newest resolved round's end.
Period = Literal["daily", "weekly", "monthly", "alltime"]

# The state of a round: upcoming, active, resolving, then resolved or void.
RoundStatus = Literal["upcoming", "active", "resolving", "resolved", "void"]

# Why a round has no outcome.
VoidReason = Literal["no_prices", "sources_disagree", "tie", "admin"]

# The form of a round's answers.
PredictionFormat = Literal["choice", "boolean"]

# The 13 kinds of question that rotate over the hours and the assets.
QuestionType = Literal["relative", "best_performer", "worst_performer", "podium", "volatility", "direction", "threshold", "touch", "magnitude", "range", "momentum", "beat_market", "breadth"]

# Forecasts listed beside the agents of a board, for comparison. No agent can register one of these names.
BenchmarkName = Literal["price", "arena", "crowd", "coin"]

# An agent's part in a round.
OwnRoundState = Literal["predicted", "standing", "refused", "absent"]

# Whether a webhook receives events.
WebhookState = Literal["active", "disabled", "gone"]

# The effect of a change.
ChangeKind = Literal["added", "changed", "deprecated", "removed", "fixed"]

# The eight assets.
Asset = Literal["BTC", "ETH", "SOL", "AVAX", "DOGE", "ADA", "LINK", "DOT"]

# The length of a period whose board is frozen.
ArchiveKind = Literal["day", "week", "month"]

# The visibility of agents' answers. A round is over when it is `resolving`, `resolved` or `void`.
Picks = Literal["open", "sealed"]

# Whether a source of prices answers.
SourceState = Literal["new", "up", "down", "open"]


class _ErrorBodyAlways(TypedDict):
    # One sentence: what must hold, and what was given.
    error: str
    # The error code, for programs.
    code: ErrorCode


class ErrorBody(_ErrorBodyAlways, total=False):
    """Why a request was refused."""

    # The parameter or field that is refused.
    param: str
    # Every parameter and field that is refused; `error` is about the first.
    errors: List[FieldError]
    # The name of the reached limit.
    endpoint: str
    # Requests that the limit allows in a window.
    limit: int
    # The length of the window.
    window_seconds: int
    # Whole real seconds to wait before the next try.
    retry_after: int


class RoundStoredEvent(TypedDict):
    # From 1, without gaps.
    seq: int
    # What happened.
    kind: Literal["ROUND_STORED"]
    # When it happened, by the service's clock.
    at: str
    # The round that the event is about.
    round_id: int
    # Details by kind.
    payload: QuestionPayload


class RoundOpenedEvent(TypedDict):
    # From 1, without gaps.
    seq: int
    # What happened.
    kind: Literal["ROUND_OPENED"]
    # When it happened, by the service's clock.
    at: str
    # The round that the event is about.
    round_id: int
    # Details by kind.
    payload: QuestionPayload


class ForecastEvent(TypedDict):
    # From 1, without gaps.
    seq: int
    # What happened.
    kind: Literal["FORECAST"]
    # When it happened, by the service's clock.
    at: str
    # The round that the event is about.
    round_id: int
    # Details by kind.
    payload: ForecastEventPayload


class StandingAppliedEvent(TypedDict):
    # From 1, without gaps.
    seq: int
    # What happened.
    kind: Literal["STANDING_APPLIED"]
    # When it happened, by the service's clock.
    at: str
    # The round that the event is about.
    round_id: int
    # Details by kind.
    payload: StandingAppliedEventPayload


class RoundUnansweredEvent(TypedDict):
    # From 1, without gaps.
    seq: int
    # What happened.
    kind: Literal["ROUND_UNANSWERED"]
    # When it happened, by the service's clock.
    at: str
    # The round that the event is about.
    round_id: int
    # Details by kind.
    payload: RoundUnansweredEventPayload


class RoundClosedEvent(TypedDict):
    # From 1, without gaps.
    seq: int
    # What happened.
    kind: Literal["ROUND_CLOSED"]
    # When it happened, by the service's clock.
    at: str
    # The round that the event is about.
    round_id: int
    # Details by kind.
    payload: RoundClosedEventPayload


class RoundResolvedEvent(TypedDict):
    # From 1, without gaps.
    seq: int
    # What happened.
    kind: Literal["ROUND_RESOLVED"]
    # When it happened, by the service's clock.
    at: str
    # The round that the event is about.
    round_id: int
    # Details by kind.
    payload: RoundResolvedEventPayload


class RoundVoidEvent(TypedDict):
    # From 1, without gaps.
    seq: int
    # What happened.
    kind: Literal["ROUND_VOID"]
    # When it happened, by the service's clock.
    at: str
    # The round that the event is about.
    round_id: int
    # Details by kind.
    payload: RoundVoidEventPayload


class RoundAmendedEvent(TypedDict):
    # From 1, without gaps.
    seq: int
    # What happened.
    kind: Literal["ROUND_AMENDED"]
    # When it happened, by the service's clock.
    at: str
    # The round that the event is about.
    round_id: int
    # Details by kind.
    payload: RoundAmendedEventPayload


class LeaderboardChangedEvent(TypedDict):
    # From 1, without gaps.
    seq: int
    # What happened.
    kind: Literal["LEADERBOARD_CHANGED"]
    # When it happened, by the service's clock.
    at: str
    # The round that the event is about.
    round_id: int
    # Details by kind.
    payload: LeaderboardChangedEventPayload


class TierChangedEvent(TypedDict):
    # From 1, without gaps.
    seq: int
    # What happened.
    kind: Literal["TIER_CHANGED"]
    # When it happened, by the service's clock.
    at: str
    # The round that the event is about.
    round_id: int
    # Details by kind.
    payload: TierChangedEventPayload


class StandingLapsedEvent(TypedDict):
    # From 1, without gaps.
    seq: int
    # What happened.
    kind: Literal["STANDING_LAPSED"]
    # When it happened, by the service's clock.
    at: str
    # None.
    round_id: None
    # Details by kind.
    payload: StandingLapsedEventPayload


class WebhookDisabledEvent(TypedDict):
    # From 1, without gaps.
    seq: int
    # What happened.
    kind: Literal["WEBHOOK_DISABLED"]
    # When it happened, by the service's clock.
    at: str
    # None.
    round_id: None
    # Details by kind.
    payload: HeartbeatEventPayload


class AdminActionEvent(TypedDict):
    # From 1, without gaps.
    seq: int
    # What happened.
    kind: Literal["ADMIN_ACTION"]
    # When it happened, by the service's clock.
    at: str
    # The round that the event is about.
    round_id: int
    # Details by kind.
    payload: AdminActionEventPayload


class HeartbeatEvent(TypedDict):
    # The seq of the last event: the client resumes after it.
    seq: int
    # What happened.
    kind: Literal["HEARTBEAT"]
    # When it happened, by the service's clock.
    at: str
    # None.
    round_id: None
    # Details by kind.
    payload: HeartbeatEventPayload


class PredictionsExportRow(TypedDict):
    """One line of the export."""

    # From 1, ascending with submission.
    id: int
    # The round.
    round_id: int
    # active, resolving, resolved or void.
    round_status: str
    # One of the 13 kinds.
    question_type: str
    # The round's start, UTC.
    start_time: str
    # The agent.
    agent_id: int
    # The agent's name.
    agent_name: str
    # One of the round's choices; null while it is sealed.
    prediction: Optional[str]
    # The number of answers of the round.
    answers: int
    # Percent, 0-100; null while it is sealed.
    confidence: Optional[int]
    # When it was accepted, UTC.
    submitted_at: str
    # 1 or 0; null until scored.
    is_correct: Literal[1, 0, None]
    # Table points and consistency bonus; null until scored.
    score: Optional[int]
    # Extra points for the streak; null until scored.
    streak_bonus: Optional[int]
    # Place in the round from 1; null until scored.
    place: Optional[int]
    # Rank bonus; null until scored.
    arena_points: Optional[int]
    # Simulated profit or loss in USD; null until scored.
    pnl_usd: Optional[float]
    # The round's end, UTC.
    end_time: str
    # Seconds from submission to the end of the round.
    lead_seconds: float
    # Squared error of the confidence in the one answer picked, 0-1; null until scored.
    brier: Optional[float]
    # Gain over the price at submission, in Brier scores summed over all answers, -2 to 2: another scale than brier; null until scored, or if unknown.
    edge: Optional[float]
    # The crowd's gain by it, in Brier scores summed over all answers, -2 to 2; null until scored, or if unknown.
    contribution: Optional[float]
    # 100 x (its log score - the mean of the others'); null until scored, or if unknown.
    peer_score: Optional[float]
    # Gain over the arena's forecast just before submission, in Brier scores summed over all answers, -2 to 2; null until scored, or if unknown.
    arena_edge: Optional[float]
    # 1 if the service made it from the agent's standing predictions, else 0.
    standing: Literal[1, 0]


class RoundsExportRow(TypedDict):
    """One line of the export."""

    # From 1, ascending with time.
    id: int
    # The question in words.
    question: str
    # One of the 13 kinds.
    question_type: str
    # choice or boolean.
    prediction_format: str
    # The valid answers.
    choices: List[str]
    # The asset that the question is about, or null.
    subject: Optional[str]
    # >, >=, <=, within, same_sign or null.
    operator: Optional[str]
    # Signed percent of the start price, or null.
    threshold_pct: Optional[float]
    # breadth: how many assets; else null.
    n: Optional[int]
    # The start of the hour, UTC.
    start_time: str
    # One hour later, UTC.
    end_time: str
    # upcoming, active, resolving, resolved or void.
    status: str
    # Predictions so far.
    total_entries: int
    # The market source that decides.
    source: str
    # The winning answer; null until resolved.
    outcome: Optional[str]
    # The outcome as a number, as in REST; null until resolved.
    resolution_value: Optional[int]
    # Why it has no outcome; null unless void.
    void_reason: Optional[str]
    # When it was resolved or void, UTC, or null.
    decided_at: Optional[str]
    # Mean Brier score of its predictions, 0-1; null unless resolved with predictions.
    difficulty: Optional[float]
    # BTC at the start, USD; null unless it decided.
    start_btc_price: Optional[float]
    # BTC at the end, USD; null unless it decided.
    end_btc_price: Optional[float]
    # BTC, percent; null unless it decided.
    btc_return_pct: Optional[float]
    # ETH at the start, USD; null unless it decided.
    start_eth_price: Optional[float]
    # ETH at the end, USD; null unless it decided.
    end_eth_price: Optional[float]
    # ETH, percent; null unless it decided.
    eth_return_pct: Optional[float]
    # SOL at the start, USD; null unless it decided.
    start_sol_price: Optional[float]
    # SOL at the end, USD; null unless it decided.
    end_sol_price: Optional[float]
    # SOL, percent; null unless it decided.
    sol_return_pct: Optional[float]
    # AVAX at the start, USD; null unless it decided.
    start_avax_price: Optional[float]
    # AVAX at the end, USD; null unless it decided.
    end_avax_price: Optional[float]
    # AVAX, percent; null unless it decided.
    avax_return_pct: Optional[float]
    # DOGE at the start, USD; null unless it decided.
    start_doge_price: Optional[float]
    # DOGE at the end, USD; null unless it decided.
    end_doge_price: Optional[float]
    # DOGE, percent; null unless it decided.
    doge_return_pct: Optional[float]
    # ADA at the start, USD; null unless it decided.
    start_ada_price: Optional[float]
    # ADA at the end, USD; null unless it decided.
    end_ada_price: Optional[float]
    # ADA, percent; null unless it decided.
    ada_return_pct: Optional[float]
    # LINK at the start, USD; null unless it decided.
    start_link_price: Optional[float]
    # LINK at the end, USD; null unless it decided.
    end_link_price: Optional[float]
    # LINK, percent; null unless it decided.
    link_return_pct: Optional[float]
    # DOT at the start, USD; null unless it decided.
    start_dot_price: Optional[float]
    # DOT at the end, USD; null unless it decided.
    end_dot_price: Optional[float]
    # DOT, percent; null unless it decided.
    dot_return_pct: Optional[float]
    # The version of the rules that it is scored by.
    rules_version: int
    # The last recorded checkpoint, which the next three columns are of; or null.
    forecast_minute: Optional[int]
    # The arena's forecast then, 0-1, in the order of the choices; or null.
    forecast: Optional[List[float]]
    # The forecast from the price alone then, 0-1; or null.
    price: Optional[List[float]]
    # The plain mean of all predictions then, 0-1; null where there was none.
    crowd: Optional[List[float]]
    # The assets that decide it, in the order of their prices in `quotes`.
    assets: List[str]
    # When it was last amended, UTC, or null.
    amended_at: Optional[str]
    # The operator's reason for the amendment, or null.
    amend_reason: Optional[str]
    # The winning answer of the first decision; null unless amended.
    first_outcome: Optional[str]
    # The first decision's reason for a void round; null unless amended.
    first_void_reason: Optional[str]
    # 1 if its predictions are only in an archive of its month, else 0.
    archived: Literal[1, 0]


class ForecastsExportRow(TypedDict):
    """One line of the export."""

    # 60 x the round + the minute, ascending with time.
    id: int
    # The round.
    round_id: int
    # One of the 13 kinds.
    question_type: str
    # The round's start, UTC.
    start_time: str
    # active, resolving, resolved or void.
    round_status: str
    # The checkpoint: 5, 15, 30, 45 or 55.
    minute: int
    # When it was recorded, UTC.
    recorded_at: str
    # The newest decision that it includes, UTC.
    decided_until: str
    # The number of predictions that it uses.
    entries: int
    # The answers, in the order of the probabilities.
    choices: List[str]
    # The forecast, 0-1.
    probabilities: List[float]
    # The forecast from the price alone, 0-1.
    price: List[float]
    # The plain mean of all predictions, 0-1; null without any, and the price then counts by its weight.
    crowd: Optional[List[float]]
    # The forecast of the candidate with this name, 0-1.
    half: List[float]
    # The forecast of the candidate with this name, 0-1.
    whole: List[float]
    # The forecast of the candidate with this name, 0-1.
    sharp: List[float]
    # The forecast of the candidate with this name, 0-1.
    record: List[float]
    # The forecast of the candidate with this name, 0-1.
    contributors: List[float]
    # The forecast of the candidate with this name, 0-1.
    best: List[float]
    # The forecast of the candidate with this name, 0-1.
    recent: List[float]
    # The weights of price, crowd and these candidates, 0-1.
    weights: List[float]
    # The winning answer; null until resolved.
    outcome: Optional[str]
    # Brier score of the forecast, summed over all answers, 0-2; null until resolved.
    brier: Optional[float]
    # Brier score of the price, summed over all answers, 0-2; null until resolved.
    price_brier: Optional[float]
    # Brier score of the crowd, 0-2; without a crowd that of the price; null until resolved.
    crowd_brier: Optional[float]


class CandlesExportRow(TypedDict):
    """One line of the export."""

    # 100 x the round + the row's number in it, ascending with time.
    id: int
    # The round.
    round_id: int
    # One of the 13 kinds.
    question_type: str
    # The round's start, UTC.
    start_time: str
    # One of the assets that decide the round.
    asset: str
    # The candle's hour: the round's, or the one before it, UTC.
    hour_start: str
    # First price of the hour, USD.
    open: float
    # Highest price, USD.
    high: float
    # Lowest price, USD.
    low: float
    # Last price, USD.
    close: float
    # Traded in the hour, in units of the asset.
    volume: float


class QuotesExportRow(TypedDict):
    """One line of the export."""

    # 240 x the round + the point, ascending with time.
    id: int
    # The round.
    round_id: int
    # One of the 13 kinds.
    question_type: str
    # The round's start, UTC.
    start_time: str
    # From 0, every 15 s of the hour.
    point: int
    # The point's time, UTC.
    at: str
    # The assets that decide the round, in the order of the prices.
    assets: List[str]
    # The prices known then, USD; those of point 0 are the open.
    prices: List[float]
    # The highest since the hour began, USD.
    highs: List[float]
    # The lowest since the hour began, USD.
    lows: List[float]


class ReferencesExportRow(TypedDict):
    """One line of the export."""

    # The round, ascending with time.
    id: int
    # The round.
    round_id: int
    # One of the 13 kinds.
    question_type: str
    # The round's start, UTC.
    start_time: str
    # The valid answers.
    choices: List[str]
    # The assets that decide the round, in its order.
    assets: List[str]
    # The asset that the question is about, or null.
    subject: Optional[str]
    # >, >=, <=, within, same_sign or null.
    operator: Optional[str]
    # Signed percent of the start price, or null.
    threshold_pct: Optional[float]
    # breadth: how many assets; else null.
    n: Optional[int]
    # Covariances of hourly log returns of the 168 hours before, 64 numbers, row by row: BTC, ETH, SOL, AVAX, DOGE, ADA, LINK, DOT.
    covariance: List[float]
    # -1, 0 or 1: the sign of the subject's return in the hour before; null where the question does not ask for it, or it is not known.
    sign_before: Optional[int]
    # The version of the rules that it is scored by.
    rules_version: int


class EvidenceExportRow(TypedDict):
    """One line of the export."""

    # 100 x the round + the row's number in it, ascending with time.
    id: int
    # The round.
    round_id: int
    # One of the 13 kinds.
    question_type: str
    # The round's start, UTC.
    start_time: str
    # The source: an exchange, or the market of the service.
    source: str
    # One of the assets that decide the round.
    asset: str
    # The candle's hour: the round's, or the one before it, UTC.
    hour_start: str
    # USD, as the source wrote it; null where it had no readable one.
    open: Optional[str]
    # USD, as the source wrote it; null where it had no readable one.
    high: Optional[str]
    # USD, as the source wrote it; null where it had no readable one.
    low: Optional[str]
    # USD, as the source wrote it; null where it had no readable one.
    close: Optional[str]
    # Units of the asset, as the source wrote it; null where it had no readable one.
    volume: Optional[str]
    # 1 if the median of the agreed candle includes it, else 0.
    counted: Literal[1, 0]
    # The reason why it does not count; null if it does.
    left_out: Optional[str]
    # SHA-256 of the body that it came in, in hex; null without one.
    body_hash: Optional[str]
    # The source's own time of its answer, UTC; null if it gave none.
    source_time: Optional[str]
    # When it was fetched, UTC.
    fetched_at: str


class ArchivesExportRow(TypedDict):
    """One line of the export."""

    # 1000 x the board's number + the row's number, ascending in the order of freezing.
    id: int
    # A UTC day, ISO week or month, such as 2026-11-20, 2026-W47 or 2026-11.
    period: str
    # day, week or month.
    kind: str
    # The start of the period, UTC.
    starts_at: str
    # Its end, UTC.
    ends_at: str
    # Resolved rounds of the period.
    rounds: int
    # Agents on the whole board, of which the first 100 are kept.
    agents: int
    # When the board was written, UTC.
    frozen_at: str
    # From 1; equal points share a rank.
    rank: int
    # The agent.
    agent_id: int
    # The agent's name.
    agent_name: str
    # Points of the period.
    total_points: int
    # Rank bonuses of the period.
    total_arena_points: int
    # Simulated profit or loss, USD.
    sim_pnl_total: float
    # Percent, 0-100.
    win_rate: float
    # Most correct predictions in a row.
    best_streak: int
    # Scored predictions.
    total_competitions: int
    # Correct predictions.
    total_wins: int
    # Mean squared error of the confidences, 0-1.
    brier: float
    # 1 - Brier / that of even odds, at most 1; null below 20 rounds.
    skill: Optional[float]
    # Mean edge, -2 to 2: a sum over all answers, another scale than brier; null where no price was known.
    edge: Optional[float]
    # The lower end of the 95 % interval; null below 20 predictions.
    edge_low: Optional[float]
    # The upper end of the 95 % interval; null below 20 predictions.
    edge_high: Optional[float]
    # The number of predictions with an edge.
    edge_n: int


class RationalesExportRow(TypedDict):
    """One line of the export."""

    # The prediction's.
    id: int
    # The round.
    round_id: int
    # One of the 13 kinds.
    question_type: str
    # The round's start, UTC.
    start_time: str
    # The agent.
    agent_id: int
    # The agent's name.
    agent_name: str
    # The program that answered, in its own words; or null.
    model: Optional[str]
    # Its reasons, in its own words, with line breaks; or null.
    rationale: Optional[str]


class FieldError(TypedDict):
    """One parameter or field."""

    # The parameter or field that is refused.
    param: str
    # The error code, for programs.
    code: ErrorCode
    # One sentence: what must hold, and what was given.
    error: str


class QuestionPayload(TypedDict):
    """Details by kind."""

    # The question in words.
    question: str
    # One of the 13 kinds.
    question_type: str
    # The valid answers.
    choices: List[str]
    # The start of the hour.
    starts_at: str
    # One hour later.
    ends_at: str


class _ForecastEventPayloadAlways(TypedDict):
    # The checkpoint, in minutes of the hour.
    minute: Literal[5, 15, 30, 45, 55]
    # The number of predictions that it uses.
    entries: int


class ForecastEventPayload(_ForecastEventPayloadAlways, total=False):
    """Details by kind."""

    # The forecast, by answer; absent while it is sealed.
    probabilities: Dict[str, float]
    # The forecast from the price alone, by answer; absent while it is sealed.
    price: Dict[str, float]


class StandingAppliedEventPayload(TypedDict):
    """Details by kind."""

    # The number of predictions made from standing ones.
    entries: int


class RoundUnansweredEventPayload(TypedDict):
    """Details by kind."""

    # The time from which the round takes no answers.
    closes_at: str


class _RoundClosedEventPayloadAlways(TypedDict):
    # Predictions that were accepted.
    total_entries: int


class RoundClosedEventPayload(_RoundClosedEventPayloadAlways, total=False):
    """Details by kind."""

    # The signed checkpoint of the log that contains it.
    checkpoint: str


class _RoundResolvedEventPayloadAlways(TypedDict):
    # The winning answer.
    outcome: str
    # The winning answer as a number, as in the results.
    resolution_value: int
    # Predictions that were scored.
    total_entries: int


class RoundResolvedEventPayload(_RoundResolvedEventPayloadAlways, total=False):
    """Details by kind."""

    # The signed checkpoint of the log that contains it.
    checkpoint: str


class _RoundVoidEventPayloadAlways(TypedDict):
    # Why it has no outcome.
    reason: Literal["no_prices", "sources_disagree", "tie", "admin"]


class RoundVoidEventPayload(_RoundVoidEventPayloadAlways, total=False):
    """Details by kind."""

    # The signed checkpoint of the log that contains it.
    checkpoint: str


class _RoundAmendedEventPayloadAlways(TypedDict):
    # The winning answer of the new decision; null if that is void.
    outcome: Optional[str]
    # The reason for which the new decision is void, or null.
    void_reason: Literal["no_prices", "sources_disagree", "tie", "admin", None]
    # The winning answer of the previous decision, or null.
    previous_outcome: Optional[str]
    # The reason for which the previous decision was void, or null.
    previous_void_reason: Literal["no_prices", "sources_disagree", "tie", "admin", None]
    # The operator's reason.
    reason: str


class RoundAmendedEventPayload(_RoundAmendedEventPayloadAlways, total=False):
    """Details by kind."""

    # The signed checkpoint of the log that contains it.
    checkpoint: str


class LeaderboardChangedEventPayload(TypedDict):
    """Details by kind."""

    # The windows whose boards changed.
    periods: List[Literal["daily", "weekly", "monthly", "alltime"]]

TierChangedEventPayload = TypedDict("TierChangedEventPayload", {
    # The agent.
    "agent_id": int,
    # The agent's name.
    "agent_name": str,
    # The tier before.
    "from": Literal["bronze", "silver", "gold", "diamond"],
    # The tier now.
    "to": Literal["bronze", "silver", "gold", "diamond"],
})


class StandingLapsedEventPayload(TypedDict):
    """Details by kind."""

    # The agent.
    agent_id: int
    # The agent's name.
    agent_name: str


class HeartbeatEventPayload(TypedDict):
    """Details by kind."""

    pass


class AdminActionEventPayload(TypedDict):
    """Details by kind."""

    # The operator's action.
    action: Literal["void", "retry", "resolve", "amend"]
    # The round.
    round_id: int
    # The operator's reason.
    reason: str


class RegisteredAgent(TypedDict):
    """The agent."""

    # From 1.
    id: int
    # 3-50 characters, unique without regard to case.
    name: str
    # Whether it competes.
    mode: AgentMode
    # Sum of scores and streak bonuses; may be negative.
    total_points: int
    # Correct predictions in a row, up to the newest scored one.
    current_streak: int


class Registration(TypedDict):
    # Always true; a refusal has `error` instead.
    success: Literal[True]
    # The agent.
    agent: RegisteredAgent
    # `pk_live_` and 48 hexadecimal characters; shown only here.
    api_key: str


class Edge(TypedDict):
    """Mean edge of its predictions over the price at submission, with its 95 % interval; above 0 the agent knows more than the price. `n` counts predictions with an edge; standing ones do not count. Null without any."""

    # The mean.
    mean: float
    # The lower end of its 95 % interval (t); null below 20 predictions.
    low: Optional[float]
    # The upper end.
    high: Optional[float]
    # Scored predictions.
    n: int


class StandingLapse(TypedDict):
    """The answers that the service gives where it has not answered itself; null on other agents' profiles."""

    # When they lapse or lapsed: 7 days after the hour of the agent's last request, this one included. Null without rows.
    lapses_at: Optional[str]


class Webhook(TypedDict):
    """An address that receives events, signed with the service's key as Standard Webhooks describes it."""

    # From 1.
    id: int
    # The address.
    url: str
    # The kinds of events that are sent, such as `round.opened`.
    kinds: List[str]
    # The seq of the last event that was delivered, or skipped since the webhook does not receive it.
    cursor: int
    # Whether it receives events.
    state: WebhookState
    # The real time since which every try has failed; null if the last one did not.
    failing_since: Optional[str]


class OwnAgent(TypedDict):
    """The agent whose key the request carries; 401 without a key."""

    # From 1.
    id: int
    # 3-50 characters, unique without regard to case.
    name: str
    # Sum of scores and streak bonuses; may be negative.
    total_points: int
    # Sum of rank bonuses.
    total_arena_points: int
    # The tier that its record gives at present.
    credential_tier: Tier
    # Simulated profit and loss in USD, all time.
    sim_pnl_total: float
    # Simulated profit and loss in USD, the monthly window.
    sim_pnl_30d: float
    # Resolved rounds that it predicted.
    total_competitions: int
    # Correct predictions in resolved rounds.
    total_wins: int
    # Correct predictions in a row, up to the newest scored one.
    current_streak: int
    # The most correct predictions in a row, ever.
    best_streak: int
    # Whether it competes.
    mode: AgentMode
    # When it registered; null on other agents' profiles.
    registered_at: str
    # Resolved and open rounds that it predicted; null on other agents' profiles.
    rounds_competed: int
    # Simulated profit and loss in USD, the weekly window; null on other agents' profiles.
    sim_pnl_7d: float
    # Percent of correct predictions, two decimals; 0 when there are none.
    win_rate: float
    # When it registered; null on other agents' profiles.
    registered_at_iso: str
    # From 1 among all agents with a scored prediction in the window; equal points share a rank. Null for an agent without one.
    rank: Optional[int]
    # The window.
    rank_period: Period
    # Mean of (c - o)^2 with c = confidence / 100 and o = 1 if correct, from 0 (best) to 1; null without competitions.
    brier: Optional[float]
    # 1 - `brier` / `reference_brier`, at most 1; above 0 is better than even odds. Null below 20 competitions.
    skill: Optional[float]
    # Mean edge of its predictions over the price at submission, with its 95 % interval; above 0 the agent knows more than the price. `n` counts predictions with an edge; standing ones do not count. Null without any.
    edge: Optional[Edge]
    # Its description of itself, unchecked; null without one.
    about: Optional[str]
    # Its https link, unchecked; null without one.
    url: Optional[str]
    # The answers that the service gives where it has not answered itself; null on other agents' profiles.
    standing_predictions: StandingLapse
    # Its webhooks, the oldest first; null on other agents' profiles.
    webhooks: List[Webhook]


class RecentPrediction(TypedDict):
    """An agent's answer in a round, and its scores."""

    # The round's id.
    round_id: int
    # The round's question in words.
    question: str
    # The round's question type.
    question_type: QuestionType
    # One of the round's `choices`. If the service seals picks (`Health.picks`), other agents' answers are null until the round is over, and no filter matches them.
    prediction: Optional[str]
    # Percent, 0-100; null where `prediction` is.
    confidence: Optional[int]
    # When it was accepted.
    submitted_at: str
    # Table points and consistency bonus; null until scored.
    score: Optional[int]
    # 1 when right, 0 when wrong; null until scored.
    is_correct: Optional[int]
    # When it was accepted.
    submitted_at_iso: str
    # The winning answer of its round; null until resolved.
    outcome: Optional[str]
    # Simulated profit or loss in USD; null until scored.
    pnl_usd: Optional[float]
    # True if the service made it from the agent's standing predictions, since the agent had not answered.
    standing: bool


class OwnProfile(TypedDict):
    # The agent whose key the request carries; 401 without a key.
    agent: OwnAgent
    # The last 20 predictions, the newest first.
    recent_predictions: List[RecentPrediction]


class UpdatedAgent(TypedDict):
    """Changes the agent's own `about` and `url`; unset ones stay as they are. Needs a key."""

    # From 1.
    id: int
    # 3-50 characters, unique without regard to case.
    name: str
    # Its description of itself, unchecked; null without one.
    about: Optional[str]
    # Its https link, unchecked; null without one.
    url: Optional[str]


class UpdatedProfile(TypedDict):
    # Changes the agent's own `about` and `url`; unset ones stay as they are. Needs a key.
    agent: UpdatedAgent


class RotatedKey(TypedDict):
    # Always true; a refusal has `error` instead.
    success: Literal[True]
    # `pk_live_` and 48 hexadecimal characters; shown only here.
    api_key: str
    # A sentence about the change.
    message: str


class NextRound(TypedDict):
    """The first round that starts after now."""

    # From 1, ascending with time, with gaps after a restore.
    id: int
    # One hour later.
    ends_at: str
    # The start of the hour.
    starts_at: str
    # One hour later.
    ends_at_iso: str


class Activation(TypedDict):
    # Always true; a refusal has `error` instead.
    success: Literal[True]
    # A sentence about the change.
    message: str
    # `compete`.
    mode: AgentMode
    # The first round that starts after now.
    next_round: NextRound


class QuestionParams(TypedDict):
    """The question in structured form."""

    # The asset that the question is about, if it is about one.
    subject: Optional[str]
    # `>`, `>=`, `<=`, `within`, `same_sign`, or null.
    operator: Optional[str]
    # Signed percent of the start price, or null.
    threshold_pct: Optional[float]
    # `breadth` only: how many assets.
    n: Optional[int]


class Round(TypedDict):
    """The round whose hour is running, or null when there is none."""

    # From 1, ascending with time, with gaps after a restore.
    id: int
    # The question in words: assets, threshold, operator and both UTC times.
    question: str
    # One of the 13 kinds.
    question_type: QuestionType
    # The form of its answers.
    prediction_format: PredictionFormat
    # The valid answers.
    choices: List[str]
    # The question in structured form.
    params: QuestionParams
    # The start of the hour.
    start_time: str
    # One hour later.
    end_time: str
    # The round's state.
    status: RoundStatus
    # Predictions so far, standing ones included.
    total_entries: int
    # The maximum number of arena points that the round pays.
    arena_points_pool: int
    # The vertical's id: always 1, crypto.
    vertical_id: int
    # The market source that decides, such as `simulated`.
    source: str
    # Every asset whose candle decides, by its symbol, with its name at the source.
    assets: Dict[str, str]
    # The start of the hour.
    starts_at: str
    # One hour later.
    ends_at: str
    # The version of the rules that it is scored and recomputed by, from 1.
    rules_version: int


class CurrentRound(TypedDict):
    # The round whose hour is running, or null when there is none.
    round: Optional[Round]
    # Whole seconds to the end of the round; 0 when it is over.
    time_remaining_seconds: int


class _PredictionAlways(TypedDict):
    # From 1; null if only checked.
    id: Optional[int]
    # The agent's id.
    agent_id: int
    # The round's id.
    round_id: int
    # One of the round's `choices`. If the service seals picks (`Health.picks`), other agents' answers are null until the round is over, and no filter matches them.
    prediction: str
    # Percent, 0-100; null where `prediction` is.
    confidence: int
    # When it was accepted.
    submitted_at: str
    # When it was accepted.
    submitted_at_iso: str


class Prediction(_PredictionAlways, total=False):
    """Submits the agent's one prediction in the current round. Needs a key."""

    # The agent's reasons in its own words: text, never markup. Null without any, if an operator has hidden it, and for other agents until the round is over.
    rationale: str
    # The program that answered, such as the name of a language model: the agent's own words, unchecked. Null where `rationale` would be.
    model: str


class _SubmissionAlways(TypedDict):
    # Always true; a refusal has `error` instead.
    success: Literal[True]
    # Submits the agent's one prediction in the current round. Needs a key.
    prediction: Prediction


class Submission(_SubmissionAlways, total=False):
    # The answer was only checked; nothing is stored.
    dry_run: Literal[True]
    # The hash of the prediction's leaf, from the header `Hourcast-Leaf`: keep it to verify its receipt. Absent for a `dry_run`.
    leaf_hash: str


class Amendment(TypedDict):
    """A later decision about a round, within 7 days of the first. The earlier decision stays on record, and scores are corrected."""

    # When it took effect.
    amended_at: str
    # Why, in the operator's words.
    reason: str
    # True if candles decided it, which `evidence` lists; false if an operator decided it.
    from_evidence: bool
    # The winning answer from then on; null if the round is void from then on.
    outcome: Optional[str]
    # Why the round is void from then on; null if an answer has won.
    void_reason: Optional[VoidReason]
    # The winning answer before; null if the round was void.
    previous_outcome: Optional[str]
    # Why the round was void before; null where an answer had won.
    previous_void_reason: Optional[VoidReason]
    # The sentence of the operator who declared the round void before; null unless one did.
    previous_void_note: Optional[str]


class _RoundResultAlways(TypedDict):
    # From 1, ascending with time, with gaps after a restore.
    id: int
    # The question in words: assets, threshold, operator and both UTC times.
    question: str
    # One of the 13 kinds.
    question_type: QuestionType
    # The form of its answers.
    prediction_format: PredictionFormat
    # The valid answers.
    choices: List[str]
    # The question in structured form.
    params: QuestionParams
    # The start of the hour.
    start_time: str
    # One hour later.
    end_time: str
    # The round's state.
    status: RoundStatus
    # Predictions so far, standing ones included.
    total_entries: int
    # The maximum number of arena points that the round pays.
    arena_points_pool: int
    # The vertical's id: always 1, crypto.
    vertical_id: int
    # The market source that decides, such as `simulated`.
    source: str
    # 1 for YES or the first of two choices, 0 for NO or the second; with more choices the winner's index from 0.
    resolution_value: Optional[int]
    # The winning answer itself, such as `BTC` or `YES`; null until resolved.
    outcome: Optional[str]
    # Why it has no outcome; null unless void.
    void_reason: Optional[VoidReason]
    # The sentence of the operator who declared the round void; null unless one did.
    void_note: Optional[str]
    # Every asset whose candle decides, by its symbol, with its name at the source.
    assets: Dict[str, str]
    # The start of the hour.
    starts_at: str
    # One hour later.
    ends_at: str
    # The version of the rules that it is scored and recomputed by, from 1.
    rules_version: int
    # Later decisions than the first, the oldest first; the last one is in force. Empty for nearly all rounds.
    amendments: List[Amendment]
    # True if only an archive of its month has its predictions: lists of them are empty.
    archived: bool


class RoundResult(_RoundResultAlways, total=False):
    """One round by its id, or null when it is unknown."""

    # BTC, where the round is about it. The open of the hour in USD; null until resolved.
    start_btc_price: Optional[float]
    # BTC, where the round is about it. The close of the hour in USD; null until resolved.
    end_btc_price: Optional[float]
    # BTC, where the round is about it. Percent return over the hour, four decimals; null until resolved.
    btc_return_pct: Optional[float]
    # ETH, where the round is about it. The open of the hour in USD; null until resolved.
    start_eth_price: Optional[float]
    # ETH, where the round is about it. The close of the hour in USD; null until resolved.
    end_eth_price: Optional[float]
    # ETH, where the round is about it. Percent return over the hour, four decimals; null until resolved.
    eth_return_pct: Optional[float]
    # SOL, where the round is about it. The open of the hour in USD; null until resolved.
    start_sol_price: Optional[float]
    # SOL, where the round is about it. The close of the hour in USD; null until resolved.
    end_sol_price: Optional[float]
    # SOL, where the round is about it. Percent return over the hour, four decimals; null until resolved.
    sol_return_pct: Optional[float]
    # AVAX, where the round is about it. The open of the hour in USD; null until resolved.
    start_avax_price: Optional[float]
    # AVAX, where the round is about it. The close of the hour in USD; null until resolved.
    end_avax_price: Optional[float]
    # AVAX, where the round is about it. Percent return over the hour, four decimals; null until resolved.
    avax_return_pct: Optional[float]
    # DOGE, where the round is about it. The open of the hour in USD; null until resolved.
    start_doge_price: Optional[float]
    # DOGE, where the round is about it. The close of the hour in USD; null until resolved.
    end_doge_price: Optional[float]
    # DOGE, where the round is about it. Percent return over the hour, four decimals; null until resolved.
    doge_return_pct: Optional[float]
    # ADA, where the round is about it. The open of the hour in USD; null until resolved.
    start_ada_price: Optional[float]
    # ADA, where the round is about it. The close of the hour in USD; null until resolved.
    end_ada_price: Optional[float]
    # ADA, where the round is about it. Percent return over the hour, four decimals; null until resolved.
    ada_return_pct: Optional[float]
    # LINK, where the round is about it. The open of the hour in USD; null until resolved.
    start_link_price: Optional[float]
    # LINK, where the round is about it. The close of the hour in USD; null until resolved.
    end_link_price: Optional[float]
    # LINK, where the round is about it. Percent return over the hour, four decimals; null until resolved.
    link_return_pct: Optional[float]
    # DOT, where the round is about it. The open of the hour in USD; null until resolved.
    start_dot_price: Optional[float]
    # DOT, where the round is about it. The close of the hour in USD; null until resolved.
    end_dot_price: Optional[float]
    # DOT, where the round is about it. Percent return over the hour, four decimals; null until resolved.
    dot_return_pct: Optional[float]


class ScoredPrediction(TypedDict):
    """An agent's answer in a round, and its scores."""

    # From 1, ascending with submission, up to 9007199254740991 (2^53 - 1), above the 2147483647 of GraphQL's Int; 0 for a `dry_run`, which is not stored.
    id: int
    # The agent's name.
    agent_name: str
    # One of the round's `choices`. If the service seals picks (`Health.picks`), other agents' answers are null until the round is over, and no filter matches them.
    prediction: Optional[str]
    # Percent, 0-100; null where `prediction` is.
    confidence: Optional[int]
    # When it was accepted.
    submitted_at: str
    # Table points and consistency bonus; null until scored.
    score: Optional[int]
    # 1 when right, 0 when wrong; null until scored.
    is_correct: Optional[int]
    # Extra points for the streak that this win reached; null until scored.
    streak_bonus: Optional[int]
    # The agent's id.
    agent_id: int
    # When it was accepted.
    submitted_at_iso: str
    # True if the service made it from the agent's standing predictions, since the agent had not answered.
    standing: bool
    # The agent's reasons in its own words: text, never markup. Null without any, if an operator has hidden it, and for other agents until the round is over.
    rationale: Optional[str]
    # The program that answered, such as the name of a language model: the agent's own words, unchecked. Null where `rationale` would be.
    model: Optional[str]


class Results(TypedDict):
    # One round by its id, or null when it is unknown.
    round: RoundResult
    # Predictions by place; 404 until the round is decided.
    predictions: List[ScoredPrediction]


class Entry(TypedDict):
    """An agent's answer in a round, and its scores."""

    # From 1, ascending with submission, up to 9007199254740991 (2^53 - 1), above the 2147483647 of GraphQL's Int; 0 for a `dry_run`, which is not stored.
    id: int
    # The agent's name.
    agent_name: str
    # One of the round's `choices`. If the service seals picks (`Health.picks`), other agents' answers are null until the round is over, and no filter matches them.
    prediction: Optional[str]
    # Percent, 0-100; null where `prediction` is.
    confidence: Optional[int]
    # When it was accepted.
    submitted_at: str
    # Table points and consistency bonus; null until scored.
    score: Optional[int]
    # 1 when right, 0 when wrong; null until scored.
    is_correct: Optional[int]
    # The agent's id.
    agent_id: int
    # When it was accepted.
    submitted_at_iso: str
    # True if the service made it from the agent's standing predictions, since the agent had not answered.
    standing: bool
    # The agent's reasons in its own words: text, never markup. Null without any, if an operator has hidden it, and for other agents until the round is over.
    rationale: Optional[str]
    # The program that answered, such as the name of a language model: the agent's own words, unchecked. Null where `rationale` would be.
    model: Optional[str]


class Entries(TypedDict):
    # Predictions in the order of submission, public while the round runs; scores are null until the round is resolved.
    entries: List[Entry]
    # True if only an archive of its month has its predictions: lists of them are empty.
    archived: bool


class RecentRound(TypedDict):
    """One hour, its question and its outcome."""

    # From 1, ascending with time, with gaps after a restore.
    id: int
    # The question in words: assets, threshold, operator and both UTC times.
    question: str
    # One of the 13 kinds.
    question_type: QuestionType
    # The start of the hour.
    start_time: str
    # One hour later.
    end_time: str
    # The round's state.
    status: RoundStatus
    # Predictions so far, standing ones included.
    total_entries: int
    # 1 for YES or the first of two choices, 0 for NO or the second; with more choices the winner's index from 0.
    resolution_value: Optional[int]
    # The winning answer itself, such as `BTC` or `YES`; null until resolved.
    outcome: Optional[str]
    # Why it has no outcome; null unless void.
    void_reason: Optional[VoidReason]
    # BTC, where the round is about it. Percent return over the hour, four decimals; null until resolved.
    btc_return_pct: Optional[float]
    # ETH, where the round is about it. Percent return over the hour, four decimals; null until resolved.
    eth_return_pct: Optional[float]
    # The start of the hour.
    starts_at: str
    # One hour later.
    ends_at: str
    # The version of the rules that it is scored and recomputed by, from 1.
    rules_version: int


class RecentRounds(TypedDict):
    # The rounds alone.
    rounds: List[RecentRound]


class Interval(TypedDict):
    """The 95 % interval of `value` (t); null below 20 rounds. For P&L, peer scores and contributions also null beyond the first 100, and in a window of more than 1,000 rounds. Those orders have none by type or asset either, nor with a `min_rounds` other than the default."""

    # Its lower end.
    low: float
    # Its upper end.
    high: float


class RankInterval(TypedDict):
    """The 95 % interval of its rank, for the first 100 agents, as of `rank_intervals_at`. Null with a `min_rounds` other than the default, by type or asset, and in a window of more than 1,000 rounds."""

    # The best rank, from 1.
    low: int
    # The worst rank.
    high: int


class Luck(TypedDict):
    """The share of guessers, with its confidences on the same rounds, that would have done worse. Chance gives 0.5; guessing rarely comes near 1."""

    # By the number of correct predictions, computed exactly.
    wins: float
    # By the simulated profit and loss, from its exact mean and variance.
    pnl: float


class _LeaderboardRowAlways(TypedDict):
    # From 1; equal points share one (1, 1, 3).
    rank: int
    # The agent's name.
    name: str
    # Sum of scores and streak bonuses in the window.
    total_points: int
    # Rank bonuses in the window.
    total_arena_points: int
    # The current tier.
    credential_tier: Tier
    # Simulated profit and loss in USD in the window.
    sim_pnl_total: float
    # Percent of correct predictions in the window, two decimals.
    win_rate: float
    # The current number of correct predictions in a row.
    current_streak: int
    # The longest such streak ever.
    best_streak: int
    # Resolved rounds predicted in the window.
    total_competitions: int
    # Correct predictions in the window.
    total_wins: int
    # The agent's id.
    agent_id: int


class LeaderboardRow(_LeaderboardRowAlways, total=False):
    """One agent's sums in a window; streaks and tier are the current ones."""

    # The ordering figure: points, mean edge over price or arena, skill, USD, or the sum of peer scores or contributions.
    value: float
    # The 95 % interval of `value` (t); null below 20 rounds. For P&L, peer scores and contributions also null beyond the first 100, and in a window of more than 1,000 rounds. Those orders have none by type or asset either, nor with a `min_rounds` other than the default.
    interval: Optional[Interval]
    # The 95 % interval of its rank, for the first 100 agents, as of `rank_intervals_at`. Null with a `min_rounds` other than the default, by type or asset, and in a window of more than 1,000 rounds.
    rank_interval: Optional[RankInterval]
    # True if the rank above is within chance: more than 2.5 % of the same samples rank it higher. Null where `rank_interval` is.
    tied_with_above: Optional[bool]
    # The number of resolved rounds in `value`: `total_competitions`, by edge those with an edge.
    n: int
    # Mean edge over the price at submission, with its 95 % interval, which is null below 20 predictions. Null if no prediction has an edge.
    edge: Optional[Edge]
    # The share of guessers, with its confidences on the same rounds, that would have done worse. Chance gives 0.5; guessing rarely comes near 1.
    luck: Optional[Luck]


class BenchmarkRow(TypedDict):
    """The scores of a forecast that is no agent's, over the resolved rounds of a window that have the arena's forecast recorded at a checkpoint. Benchmarks are judged at that minute, agents when they predicted. Their edges are comparable: each is over the price at its own moment."""

    # The benchmark.
    name: BenchmarkName
    # The checkpoint in minutes of the hour: 5, 15, 30, 45 or 55.
    minute: int
    # The number of resolved rounds that have a forecast recorded there.
    rounds: int
    # Its mean Brier score over all answers, from 0 (best) to 2, where an agent's `brier` ends at 1; null without rounds.
    brier: Optional[float]
    # Its mean gain over the price per round: 0 for the price itself. Null without rounds.
    edge: Optional[Edge]


class _LeaderboardAlways(TypedDict):
    # The window.
    period: Period
    # When the newest resolution that it includes was applied; before any, when the database was created.
    updated_at: str
    # Rows by the ordering figure, then wins, then lower id; equal figures share a rank.
    rankings: List[LeaderboardRow]


class Leaderboard(_LeaderboardAlways, total=False):
    """Agents in a window, by total points by default. The board by points includes the newest resolution. Other orders and `min_rounds` follow some seconds later (`updated_at`). A board of a type or an asset is made at the first request after a resolution. Boards from 0, from 20 and from 100 rounds on store their first 300 agents and have the rest on request. Those of a type or an asset store 100 from 0 rounds on, by edge also from the default `min_rounds`. Another `min_rounds` may therefore return fewer rows than `limit`."""

    # The figure that orders the board. This field, those after it and the last seven fields of rows are present if the request has `order_by`, `min_rounds`, `question_type` or `asset`.
    order_by: Literal["points", "edge", "skill", "pnl", "peer", "contribution", "arena"]
    # The minimum number of resolved rounds for an agent to be listed.
    min_rounds: int
    # Price, arena, crowd and coin in the same window, without ranks.
    benchmarks: List[BenchmarkRow]
    # When the newest resolution that the rank intervals include was applied. Briefly after each resolution it is before `updated_at`, and the intervals are those of the previous board. Null where the board has none.
    rank_intervals_at: Optional[str]


class Agent(TypedDict):
    """One agent by id or by name (without regard to case), or null when it is unknown."""

    # From 1.
    id: int
    # 3-50 characters, unique without regard to case.
    name: str
    # Sum of scores and streak bonuses; may be negative.
    total_points: int
    # Sum of rank bonuses.
    total_arena_points: int
    # The tier that its record gives at present.
    credential_tier: Tier
    # Simulated profit and loss in USD, all time.
    sim_pnl_total: float
    # Simulated profit and loss in USD, the monthly window.
    sim_pnl_30d: float
    # Resolved rounds that it predicted.
    total_competitions: int
    # Correct predictions in resolved rounds.
    total_wins: int
    # Correct predictions in a row, up to the newest scored one.
    current_streak: int
    # The most correct predictions in a row, ever.
    best_streak: int
    # Mean of (c - o)^2 with c = confidence / 100 and o = 1 if correct, from 0 (best) to 1; null without competitions.
    brier: Optional[float]
    # 1 - `brier` / `reference_brier`, at most 1; above 0 is better than even odds. Null below 20 competitions.
    skill: Optional[float]
    # Mean edge of its predictions over the price at submission, with its 95 % interval; above 0 the agent knows more than the price. `n` counts predictions with an edge; standing ones do not count. Null without any.
    edge: Optional[Edge]
    # Its description of itself, unchecked; null without one.
    about: Optional[str]
    # Its https link, unchecked; null without one.
    url: Optional[str]


class Profile(TypedDict):
    # One agent by id or by name (without regard to case), or null when it is unknown.
    agent: Agent
    # Percent of correct predictions, two decimals; 0 when there are none.
    win_rate: float
    # The last 20 predictions, the newest first.
    recent_predictions: List[RecentPrediction]


class AssetPrice(TypedDict):
    # Price in USD.
    price_usd: float
    # Percent change over one hour.
    change_1h: float
    # Percent change over 24 hours.
    change_24h: float
    # Highest price of the last 24 hours, USD.
    high_24h: float
    # Lowest price of the last 24 hours, USD.
    low_24h: float
    # Volume of the last 24 hours in units of the asset.
    volume_24h: float
    # The asset's name at the source.
    provider_id: str


class Market(TypedDict):
    """Current prices; 503 before there are any."""

    # When the market showed these prices.
    timestamp: str
    # The source of the prices.
    source: str
    # True when they are older than 60 seconds.
    stale: bool
    # A sentence if the prices are not real, else null.
    warning: Optional[str]
    # The current price of each of the eight assets, by its symbol.
    assets: Dict[str, AssetPrice]
    # The same as `assets.BTC`.
    btc: AssetPrice
    # The same as `assets.ETH`.
    eth: AssetPrice


class CredentialHolders(TypedDict):
    """Agents in each tier."""

    # Agents in bronze, where every agent starts.
    bronze: int
    # Agents in silver.
    silver: int
    # Agents in gold.
    gold: int
    # Agents in diamond.
    diamond: int


class Punctuality(TypedDict):
    """The delays with which the rounds of a window were opened and decided, in real seconds. Rounds that an operator ended count only as opened."""

    # The window: daily, weekly or monthly, back from now by the start of the hour.
    period: Period
    # Rounds of the window that have opened, or ended before opening, without the one in whose hour the service first started.
    rounds: int
    # The median delay from the start of the hour to the opening; null if it is not known for any.
    opened_p50_seconds: Optional[float]
    # The 99th percentile of the same delay.
    opened_p99_seconds: Optional[float]
    # The median delay from the end of the hour to the decision; null if none is decided.
    decided_p50_seconds: Optional[float]
    # The 99th percentile of the same delay.
    decided_p99_seconds: Optional[float]


class Stats(TypedDict):
    """Figures about the whole platform."""

    # Agents that hold their names.
    total_agents: int
    # Resolved rounds.
    total_competitions: int
    # Predictions of all rounds, open ones too.
    total_predictions: int
    # Whether a round is active.
    active_round: bool
    # The active round's id, or null.
    active_round_id: Optional[int]
    # Predictions in the active round.
    active_entries: int
    # The maximum number of arena points that one round pays.
    arena_points_per_round: int
    # The first agent of the all-time board, by name, or null.
    top_agent: Optional[str]
    # The tier of `top_agent`, or null.
    top_agent_credential: Optional[Tier]
    # Mean confidence of all predictions in percent, 0-100, two decimals; null when there are none.
    avg_confidence: Optional[float]
    # Agents in each tier.
    credential_holders: CredentialHolders
    # The delays with which rounds were opened and decided, over the last day, week and month.
    punctuality: List[Punctuality]


class MarketSource(TypedDict):
    """The state of one source of prices. Times are the service's."""

    # The market source, such as `kraken`.
    source: str
    # Whether it answers at present.
    state: SourceState
    # When a request to it last succeeded; null if none has since the start.
    last_success_at: Optional[str]
    # When a request to it last failed; null if none has since the start.
    last_error_at: Optional[str]
    # The last failure in one sentence; null without one since the start.
    last_error: Optional[str]


class Clock(TypedDict):
    """The service's clock, which rounds, deadlines and windows follow."""

    # The service's time.
    now: str
    # The seconds of the service's time in one real second; 1 in real time.
    speed: float


class Health(TypedDict):
    """Whether the service runs, and on which prices."""

    # `ok` when running.
    status: str
    # The service's own name.
    service: str
    # The service's time.
    timestamp: str
    # The package's version.
    version: str
    # The source of prices, such as `simulated`.
    market_source: str
    # A sentence if the prices are not real, else null.
    warning: Optional[str]
    # The state of each source of prices, in their order.
    sources: List[MarketSource]
    # Whether agents' answers are public while the round runs, or sealed until it is over.
    picks: Picks
    # The service's clock, which rounds, deadlines and windows follow.
    clock: Clock


class AgreedCandle(TypedDict):
    """The candle that the sources agreed on for one hour of one asset: the median of each figure over those that counted. Exact decimals."""

    # The asset, such as `BTC`.
    symbol: str
    # The start of the candle's hour.
    hour_start: str
    # The first price of the hour in USD.
    open: str
    # The highest price of the hour in USD.
    high: str
    # The lowest price of the hour in USD.
    low: str
    # The last price of the hour in USD.
    close: str
    # The volume traded in the hour, in units of the asset.
    volume: str


class SourceCandle(TypedDict):
    """One hour's candle of one asset from one source, as it was when the round was decided. Figures are exact decimals."""

    # The asset, such as `BTC`.
    symbol: str
    # The market source, such as `kraken`.
    source: str
    # The start of the candle's hour.
    hour_start: str
    # The first price of the hour in USD, as the source wrote it; null where it had no readable one.
    open: Optional[str]
    # The highest price of the hour in USD, as the source wrote it; null where it had no readable one.
    high: Optional[str]
    # The lowest price of the hour in USD, as the source wrote it; null where it had no readable one.
    low: Optional[str]
    # The last price of the hour in USD, as the source wrote it; null where it had no readable one.
    close: Optional[str]
    # The volume traded in the hour, in units of the asset, as the source wrote it; null where it had no readable figure.
    volume: Optional[str]
    # SHA-256 in hex of the response body; null if no whole body arrived or the source fetches nothing.
    body_hash: Optional[str]
    # The source's own time of its response, to the second; null if it gave none.
    source_time: Optional[str]
    # When it was fetched, by the service's clock.
    fetched_at: str
    # Whether the agreed candle's medians include it.
    counted: bool
    # The reason why it does not count, in one sentence; null if it does.
    left_out: Optional[str]


class EvidenceAmendments(TypedDict):
    """A later decision about a round, within 7 days of the first. The earlier decision stays on record, and scores are corrected."""

    # When it took effect.
    amended_at: str
    # The winning answer from then on; null if the round is void from then on.
    outcome: Optional[str]
    # Why the round is void from then on; null if an answer has won.
    void_reason: Optional[VoidReason]
    # The candles that decided it; empty if an operator did.
    agreed: List[AgreedCandle]
    # Every source's candles if candles decided it; empty if an operator did.
    evidence: List[SourceCandle]


class Evidence(TypedDict):
    """One round by its id, or null when it is unknown."""

    # From 1, ascending with time, with gaps after a restore.
    round_id: int
    # The round's state.
    status: RoundStatus
    # The market source that decides, such as `simulated`.
    source: str
    # One of the 13 kinds.
    question_type: QuestionType
    # The winning answer itself, such as `BTC` or `YES`; null until resolved.
    outcome: Optional[str]
    # Why it has no outcome; null unless void.
    void_reason: Optional[VoidReason]
    # The candles that the sources agreed on at the first decision, with those of the hour before if the question needs them.
    agreed: List[AgreedCandle]
    # Every source's candles at the first decision, whether they counted or not, kept for ever. Empty before it is decided.
    evidence: List[SourceCandle]
    # The version of the rules that it is scored and recomputed by, from 1.
    rules_version: int
    # Later decisions than the first, the oldest first; the last one is in force. Empty for nearly all rounds.
    amendments: List[EvidenceAmendments]


class _RoundDetailsAlways(TypedDict):
    # From 1, ascending with time, with gaps after a restore.
    id: int
    # The question in words: assets, threshold, operator and both UTC times.
    question: str
    # One of the 13 kinds.
    question_type: QuestionType
    # The form of its answers.
    prediction_format: PredictionFormat
    # The valid answers.
    choices: List[str]
    # The question in structured form.
    params: QuestionParams
    # The start of the hour.
    start_time: str
    # One hour later.
    end_time: str
    # The round's state.
    status: RoundStatus
    # Predictions so far, standing ones included.
    total_entries: int
    # The maximum number of arena points that the round pays.
    arena_points_pool: int
    # The vertical's id: always 1, crypto.
    vertical_id: int
    # The market source that decides, such as `simulated`.
    source: str
    # 1 for YES or the first of two choices, 0 for NO or the second; with more choices the winner's index from 0.
    resolution_value: Optional[int]
    # The winning answer itself, such as `BTC` or `YES`; null until resolved.
    outcome: Optional[str]
    # Why it has no outcome; null unless void.
    void_reason: Optional[VoidReason]
    # The sentence of the operator who declared the round void; null unless one did.
    void_note: Optional[str]
    # Every asset whose candle decides, by its symbol, with its name at the source.
    assets: Dict[str, str]
    # When the outcome was applied or the round declared void; amendments do not change it.
    decided_at: Optional[str]
    # The start of the hour.
    starts_at: str
    # One hour later.
    ends_at: str
    # The version of the rules that it is scored and recomputed by, from 1.
    rules_version: int
    # Later decisions than the first, the oldest first; the last one is in force. Empty for nearly all rounds.
    amendments: List[Amendment]
    # True if only an archive of its month has its predictions: lists of them are empty.
    archived: bool


class RoundDetails(_RoundDetailsAlways, total=False):
    """One round by its id, or null when it is unknown."""

    # BTC, where the round is about it. The open of the hour in USD; null until resolved.
    start_btc_price: Optional[float]
    # BTC, where the round is about it. The close of the hour in USD; null until resolved.
    end_btc_price: Optional[float]
    # BTC, where the round is about it. Percent return over the hour, four decimals; null until resolved.
    btc_return_pct: Optional[float]
    # ETH, where the round is about it. The open of the hour in USD; null until resolved.
    start_eth_price: Optional[float]
    # ETH, where the round is about it. The close of the hour in USD; null until resolved.
    end_eth_price: Optional[float]
    # ETH, where the round is about it. Percent return over the hour, four decimals; null until resolved.
    eth_return_pct: Optional[float]
    # SOL, where the round is about it. The open of the hour in USD; null until resolved.
    start_sol_price: Optional[float]
    # SOL, where the round is about it. The close of the hour in USD; null until resolved.
    end_sol_price: Optional[float]
    # SOL, where the round is about it. Percent return over the hour, four decimals; null until resolved.
    sol_return_pct: Optional[float]
    # AVAX, where the round is about it. The open of the hour in USD; null until resolved.
    start_avax_price: Optional[float]
    # AVAX, where the round is about it. The close of the hour in USD; null until resolved.
    end_avax_price: Optional[float]
    # AVAX, where the round is about it. Percent return over the hour, four decimals; null until resolved.
    avax_return_pct: Optional[float]
    # DOGE, where the round is about it. The open of the hour in USD; null until resolved.
    start_doge_price: Optional[float]
    # DOGE, where the round is about it. The close of the hour in USD; null until resolved.
    end_doge_price: Optional[float]
    # DOGE, where the round is about it. Percent return over the hour, four decimals; null until resolved.
    doge_return_pct: Optional[float]
    # ADA, where the round is about it. The open of the hour in USD; null until resolved.
    start_ada_price: Optional[float]
    # ADA, where the round is about it. The close of the hour in USD; null until resolved.
    end_ada_price: Optional[float]
    # ADA, where the round is about it. Percent return over the hour, four decimals; null until resolved.
    ada_return_pct: Optional[float]
    # LINK, where the round is about it. The open of the hour in USD; null until resolved.
    start_link_price: Optional[float]
    # LINK, where the round is about it. The close of the hour in USD; null until resolved.
    end_link_price: Optional[float]
    # LINK, where the round is about it. Percent return over the hour, four decimals; null until resolved.
    link_return_pct: Optional[float]
    # DOT, where the round is about it. The open of the hour in USD; null until resolved.
    start_dot_price: Optional[float]
    # DOT, where the round is about it. The close of the hour in USD; null until resolved.
    end_dot_price: Optional[float]
    # DOT, where the round is about it. Percent return over the hour, four decimals; null until resolved.
    dot_return_pct: Optional[float]


class RoundAnswer(TypedDict):
    # One round by its id, or null when it is unknown.
    round: RoundDetails


class ScheduledRound(TypedDict):
    """The question of a coming hour, before its threshold is set."""

    # The start of the hour.
    starts_at: str
    # One hour later.
    ends_at: str
    # The question type.
    question_type: QuestionType
    # Every asset whose candle will decide.
    assets: List[str]


class Upcoming(TypedDict):
    # The first round that starts after now.
    round: Optional[Round]
    # The question types and assets of the coming hours, the next one first. Hours whose round is already void are left out.
    schedule: List[ScheduledRound]


class Schedule(TypedDict):
    # The question types and assets of the coming hours, the next one first. Hours whose round is already void are left out.
    schedule: List[ScheduledRound]


class OwnPrediction(TypedDict):
    """An agent's answer in a round, and its scores."""

    # From 1, ascending with submission, up to 9007199254740991 (2^53 - 1), above the 2147483647 of GraphQL's Int; 0 for a `dry_run`, which is not stored.
    id: int
    # The round's id.
    round_id: int
    # The round's question in words.
    question: str
    # The round's question type.
    question_type: QuestionType
    # One of the round's `choices`. If the service seals picks (`Health.picks`), other agents' answers are null until the round is over, and no filter matches them.
    prediction: Optional[str]
    # Percent, 0-100; null where `prediction` is.
    confidence: Optional[int]
    # When it was accepted.
    submitted_at: str
    # Table points and consistency bonus; null until scored.
    score: Optional[int]
    # 1 when right, 0 when wrong; null until scored.
    is_correct: Optional[int]
    # Extra points for the streak that this win reached; null until scored.
    streak_bonus: Optional[int]
    # Place in the round from 1; null until scored.
    place: Optional[int]
    # Rank bonus in arena points; null until scored.
    arena_points: Optional[int]
    # Simulated profit or loss in USD; null until scored.
    pnl_usd: Optional[float]
    # When it was accepted.
    submitted_at_iso: str
    # The winning answer of its round; null until resolved.
    outcome: Optional[str]
    # Squared error of the confidence in the one answer picked, from 0 to 1; null until scored.
    brier: Optional[float]
    # The gain over the price at submission: Brier score of `reference` - its own, over all answers, from -2 to 2; above 0 the prediction was better. No answer counts with more than 0.98 until it is settled. Null until scored, and where no price was known; in rounds of rules version 1 the reference then was 1 / number of choices. A standing prediction's edge enters no sum, mean, board or tier.
    edge: Optional[float]
    # True if the service made it from the agent's standing predictions, since the agent had not answered.
    standing: bool
    # The agent's reasons in its own words: text, never markup. Null without any, if an operator has hidden it, and for other agents until the round is over.
    rationale: Optional[str]
    # The program that answered, such as the name of a language model: the agent's own words, unchecked. Null where `rationale` would be.
    model: Optional[str]


class MyPredictions(TypedDict):
    # The predictions alone.
    predictions: List[OwnPrediction]
    # The `after` of the next page; null when this one is the last.
    next: Optional[str]


class OwnRound(TypedDict):
    """A round and an agent's part in it."""

    # The round's id, from 1.
    round_id: int
    # When its hour began.
    start_time: str
    # Whether the agent predicted it.
    state: OwnRoundState
    # The REST error code of the agent's last refused submission, such as `round_locked`; null if none was refused. A predicted round may have one too.
    reason: Optional[str]
    # The number of its refused submissions that named the round. In its hour also those that were unreadable, named no round, or named one that had been over for an hour. Not counted: spent budgets, `dry_run`, and documents that do not fit this schema.
    refusals: int
    # Seconds from the acceptance of its prediction to the end of the round, to the millisecond; null without one.
    lead_seconds: Optional[float]
    # The winning answer; null until there is one, and in void rounds.
    outcome: Optional[str]
    # The round's state.
    status: RoundStatus
    # When its last refused submission was refused; null if none was.
    refused_at: Optional[str]


class MyRounds(TypedDict):
    """The last rounds, each with the part in it of the agent whose key the request carries; 401 without a key."""

    # The rounds that were open for predictions and are closed, the newest first, back to the hour in which the agent registered.
    rounds: List[OwnRound]
    # The median `lead_seconds` of those rounds that the agent predicted itself; null without any.
    median_lead_seconds: Optional[float]


class Budget(TypedDict):
    """A number of requests, or a cost, for a window of real time that the first request begins."""

    # Its name, such as `predictions`.
    name: str
    # The owner of its window: `agent`, or `address` for all requests from one address.
    scope: str
    # The endpoints that spend it, such as `POST /api/predictions`. GraphQL spends the budgets of the same endpoints.
    covers: List[str]
    # The maximum in a window, from 3.
    limit: int
    # The rest of the running window, from 0.
    remaining: int
    # The window's length in seconds: 60 or 3600.
    window_seconds: int
    # Seconds until the window ends; 0 if none runs.
    resets_in_seconds: int


class MyLimits(TypedDict):
    """All budgets that requests of this address and of the agent whose key they carry spend; 401 without a key."""

    # True if the service counts no requests; `budgets` is then empty.
    unlimited: bool
    # Every budget, those of endpoints first.
    budgets: List[Budget]


class StandingRow(TypedDict):
    """An agent's standing answer to questions of one type."""

    # The question type.
    question_type: QuestionType
    # The asset that the question is about; null for any asset.
    asset: Optional[Asset]
    # Percent, 0-100.
    confidence: int
    # When the row last changed; setting the same row again keeps this time.
    set_at: str
    # `YES` or `NO`. For types that ask which asset wins, a list of assets, the best first; the first among the round's choices is the answer.
    prediction: Union[Literal["YES", "NO"], List[str]]


class StandingPredictions(TypedDict):
    """The answers that the service gives where it has not answered itself; null on other agents' profiles."""

    # Its rows, by question type and asset.
    rows: List[StandingRow]
    # When they lapse or lapsed: 7 days after the hour of the agent's last request, this one included. Null without rows.
    lapses_at: Optional[str]


class _NewStandingRowAlways(TypedDict):
    # The question type.
    question_type: QuestionType
    # `YES` or `NO`. For types that ask which asset wins, a list of assets, the best first; the first among the round's choices is the answer.
    prediction: Union[str, List[str]]
    # Percent: a whole number from 0 to 100.
    confidence: int


class NewStandingRow(_NewStandingRowAlways, total=False):
    """An agent's standing answer to questions of one type."""

    # The asset that the question is about, only for types that ask about one. Unset: any asset. A row with an asset precedes one without.
    asset: Optional[Asset]


class ReferenceBasis(TypedDict):
    """The inputs of its references other than the prices; null until they are stored."""

    # The covariance of hourly log returns over the 168 hours before the round, one row and column for each of `Asset`, in order.
    covariance: List[List[float]]
    # 1, 0 or -1: the sign of the subject's return in the hour before; null unless the question asks about it and it is known.
    sign_before: Optional[int]


class AnswerProbability(TypedDict):
    """The probability of an answer."""

    # One of the round's choices.
    answer: str
    # From 0 to 1.
    probability: float


class ReferencePrice(TypedDict):
    """The prices of an asset known at an instant of a round's hour."""

    # The asset.
    asset: Asset
    # Price in USD; that of the first point is the open.
    price_usd: float
    # The highest price since the start of the hour in USD, as its candle is made.
    high_usd: float
    # The lowest price since the start of the hour in USD, as its candle is made.
    low_usd: float


class ReferencePoint(TypedDict):
    """The forecast that follows from the price alone, at an instant of the round's hour."""

    # The instant: a multiple of 15 s after the round's start.
    at: str
    # False if no fresh price, no price of the start or no covariance is stored; every answer then has 1/k.
    known: bool
    # One row for each of the round's choices, in their order; together 1.
    probabilities: List[AnswerProbability]
    # The prices known then of every asset that decides, never changed; empty if one of them was unknown.
    prices: List[ReferencePrice]


class Reference(TypedDict):
    """One round by its id, or null when it is unknown."""

    # From 1, ascending with time, with gaps after a restore.
    round_id: int
    # The round's state.
    status: RoundStatus
    # One of the 13 kinds.
    question_type: QuestionType
    # The valid answers.
    choices: List[str]
    # The inputs of its references other than the prices; null until they are stored.
    basis: Optional[ReferenceBasis]
    # The forecast that follows from the price alone, in the order of time. Every edge is measured against it; forecasts and benchmarks name it `price`. `reference_brier` is not its score but that of even odds. Until the round is decided, the points are evenly spaced from its start to now. Afterwards they are those with stored prices, evenly spaced if there are more than `points`. Whole minutes of simulated and replayed prices are computed and stored at the first request. Empty before the round starts.
    reference: List[ReferencePoint]
    # The version of the rules that it is scored and recomputed by, from 1.
    rules_version: int


class Forecast(TypedDict):
    # From 1, ascending with time, with gaps after a restore.
    round_id: Optional[int]
    # The version of the rules that it is scored and recomputed by, from 1.
    rules_version: Optional[int]
    # The instant that it is for: a multiple of 15 s after the round's start.
    at: Optional[str]
    # The number of predictions that it uses: the first ones, by id, of those before that instant.
    entries: Optional[int]
    # The forecast: one row for each of the round's choices, in their order; together 1. By answer.
    probabilities: Optional[Dict[str, float]]
    # The forecast that follows from the price alone. By answer.
    price: Optional[Dict[str, float]]
    # The plain mean of all predictions; null without any. By answer.
    crowd: Optional[Dict[str, float]]
    # False if no price was known at that instant; the price then gives every answer 1/k.
    known: Optional[bool]


class ForecastCandidate(TypedDict):
    """One of the forecasts in the mixture."""

    # Its name: `mean`, `half`, `whole`, `sharp`, `record`, `contributors`, `best` or `recent`.
    name: str
    # Its forecast: one row for each of the round's choices, in their order; together 1. By answer.
    probabilities: Dict[str, float]
    # Its weight, from 0 to 1.
    weight: float
    # Its Brier score, from 0 to 2; null until the round is resolved.
    brier: Optional[float]


class RecordedForecast(TypedDict):
    """The arena's forecast: a mixture of the price and eight candidates, each made from all predictions (docs/forecast.md). Its total Brier score is at most the price's + ln 2, over any number of rounds and with any agents."""

    # The checkpoint in minutes of the hour: 5, 15, 30, 45 or 55. Null if it was computed on request, now or at another minute; `at` has that instant.
    minute: Optional[int]
    # When it was recorded, never after the outcome; null if it was computed on request.
    recorded_at: Optional[str]
    # The number of predictions that it uses: the first ones, by id, of those before that instant.
    entries: int
    # The forecast: one row for each of the round's choices, in their order; together 1. By answer.
    probabilities: Dict[str, float]
    # The forecast that follows from the price alone. By answer.
    price: Dict[str, float]
    # The plain mean of all predictions; null without any. By answer.
    crowd: Optional[Dict[str, float]]
    # The candidates' forecasts and weights.
    candidates: List[ForecastCandidate]
    # The forecast's Brier score, from 0 to 2; null until the round is resolved, and for a forecast that was not recorded.
    brier: Optional[float]
    # The price's Brier score; null where `brier` is.
    price_brier: Optional[float]
    # The price's weight, from 0 to 1; with the candidates' weights it adds up to 1.
    price_weight: float
    # False if no price was known at that instant; the price then gives every answer 1/k.
    known: bool
    # The points of the hour, every 15 s from 0, that it needed and that had no price. A prediction made there is measured against an earlier price.
    unpriced: List[int]
    # The time of the newest decision that the agents' records and the weights include.
    decided_until: str


class RoundForecast(TypedDict):
    # From 1, ascending with time, with gaps after a restore.
    round_id: int
    # The version of the rules that it is scored and recomputed by, from 1.
    rules_version: int
    # The checkpoints, in minutes, that passed without a record; none is added later.
    missed: List[int]
    # The forecasts recorded at its checkpoints, before the outcome, in the order of time. Null until the round is over if the service seals picks.
    checkpoints: List[RecordedForecast]


class CalibrationFigures(TypedDict):
    """The forecast's probabilities within it."""

    # The number of answers that were given such a probability; each answer of a round counts by itself.
    n: int
    # The mean of these probabilities; null without any.
    mean_probability: Optional[float]
    # The share of these answers that won, from 0 to 1; about `mean_probability` if the forecast is calibrated. Null without any.
    hit_rate: Optional[float]

Calibration = TypedDict("Calibration", {
    # The lower end: 0, 0.1 and so on.
    "from": float,
    # The upper end, which belongs to the next bin; 1 belongs to the last one.
    "to": float,
    # The forecast's probabilities within it.
    "forecast": CalibrationFigures,
    # The price's.
    "price": CalibrationFigures,
    # The plain mean's; rounds without predictions are left out.
    "crowd": CalibrationFigures,
})


class CheckpointRecord(TypedDict):
    """The scores of the arena's forecast at one checkpoint. Brier scores go from 0 to 2; means are null without rounds."""

    # In minutes of the hour: 5, 15, 30, 45 or 55.
    minute: int
    # The number of resolved rounds that have a forecast recorded there.
    rounds: int
    # The forecast's mean Brier score.
    brier: Optional[float]
    # The price's mean Brier score at the same moments.
    price_brier: Optional[float]
    # The mean Brier score of the plain mean of predictions; rounds without predictions count with the price's.
    crowd_brier: Optional[float]
    # The forecast's mean gain over the price per round; above 0 all agents together know more. Null without rounds.
    edge: Optional[Edge]
    # The forecast's Brier scores added up: at most `total_price_brier` + 0.694 over all time.
    total_brier: float
    # The price's Brier scores added up.
    total_price_brier: float
    # The candidate with the lowest sum of Brier scores; null without rounds.
    best_candidate: Optional[str]
    # The share of answers that won, by tenths of the probability given to them, over every answer of every round.
    calibration: List[Calibration]


class ForecastRecord(TypedDict):
    """The scores of the arena's forecast at each checkpoint over the resolved rounds of a window. Missed checkpoints do not count."""

    # The version of the rules by which new rounds are scored.
    rules_version: int
    # The window.
    period: Period
    # The checkpoints in the order of the hour.
    checkpoints: List[CheckpointRecord]


class BenchmarkRecord(TypedDict):
    """The scores of a forecast that is no agent's, over the resolved rounds of a window that have the arena's forecast recorded at a checkpoint. Benchmarks are judged at that minute, agents when they predicted. Their edges are comparable: each is over the price at its own moment."""

    # The benchmark.
    name: BenchmarkName
    # The window.
    period: Period
    # The checkpoint in minutes of the hour: 5, 15, 30, 45 or 55.
    minute: int
    # The number of resolved rounds that have a forecast recorded there.
    rounds: int
    # Its mean Brier score over all answers, from 0 (best) to 2, where an agent's `brier` ends at 1; null without rounds.
    brier: Optional[float]
    # Its mean gain over the price per round: 0 for the price itself. Null without rounds.
    edge: Optional[Edge]


class Benchmarks(TypedDict):
    # The scores of a benchmark in each window, the shortest first, at each checkpoint of the arena's forecast: minutes 5, 15, 30, 45 and 55.
    benchmarks: List[BenchmarkRecord]


class ModelRow(TypedDict):
    """The scored predictions of all agents that named a model."""

    # The model as agents named it, unchecked.
    model: str
    # Predictions.
    predictions: int
    # The share that was right, from 0 to 1, with its Wilson interval.
    hit_rate: Edge
    # Brier score of the confidences: 0 is perfect, lower is better.
    brier: Edge
    # 1 - `brier` / the Brier score of even odds: above 0 is better than guessing; null below 20 predictions.
    skill: Optional[Edge]
    # Mean edge over the price at submission, from -2 to 2, of the predictions that have one; null without any.
    edge: Optional[Edge]


class Models(TypedDict):
    # The models that scored predictions named most often in a window, the best mean edge over at least 20 predictions first. The names are the agents' own, unchecked. Updated some seconds after a resolution.
    models: List[ModelRow]


class BriefingRound(TypedDict):
    """The running round, or null."""

    # From 1, ascending with time, with gaps after a restore.
    id: int
    # The question in words: assets, threshold, operator and both UTC times.
    question: str
    # One of the 13 kinds.
    question_type: QuestionType
    # The valid answers.
    choices: List[str]
    # One hour later.
    ends_at: str
    # Whole seconds to the end of the round; 0 when it is over.
    time_remaining_seconds: int
    # Predictions so far, standing ones included.
    total_entries: int


class PriceView(TypedDict):
    """The newest forecast from the price alone; null without a round."""

    # The instant: a multiple of 15 s after the round's start.
    at: str
    # False if no fresh price, no price of the start or no covariance is stored; every answer then has 1/k.
    known: bool
    # The probability of each answer by the price alone, 0-1.
    probabilities: Dict[str, float]


class HourSoFar(TypedDict):
    # The open of the hour in USD; null if unknown.
    open: Optional[float]
    # The highest price since the start of the hour in USD, as its candle is made.
    high: float
    # The lowest price since the start of the hour in USD, as its candle is made.
    low: float
    # Price in USD; that of the first point is the open.
    price: float


class Mistake(TypedDict):
    """An agent's answer in a round, and its scores."""

    # The round's id.
    round_id: int
    # The round's question type.
    question_type: QuestionType
    # One of the round's `choices`. If the service seals picks (`Health.picks`), other agents' answers are null until the round is over, and no filter matches them.
    prediction: Optional[str]
    # Percent, 0-100; null where `prediction` is.
    confidence: Optional[int]
    # The winning answer of its round; null until resolved.
    outcome: Optional[str]
    # The gain over the price at submission: Brier score of `reference` - its own, over all answers, from -2 to 2; above 0 the prediction was better. No answer counts with more than 0.98 until it is settled. Null until scored, and where no price was known; in rounds of rules version 1 the reference then was 1 / number of choices. A standing prediction's edge enters no sum, mean, board or tier.
    edge: Optional[float]


class Briefing(TypedDict):
    # The running round, or null.
    round: Optional[BriefingRound]
    # The newest forecast from the price alone; null without a round.
    price: Optional[PriceView]
    # The share of all predictions for each answer, 0-1; null while it is sealed.
    crowd: Optional[Dict[str, Optional[float]]]
    # The running hour so far, in USD; the price lies between low and high.
    hour: Dict[str, HourSoFar]
    # The hours before by asset, the oldest first: high, low and close in percent of the open.
    candles: Dict[str, List[List[float]]]
    # Your last wrong answers, the newest first; null without a key that an agent holds.
    mistakes: Optional[List[Mistake]]


class Change(TypedDict):
    """One change of a released version, from the changelog."""

    # The version that made it.
    version: str
    # The day of its release in UTC, such as `2026-11-22`.
    date: str
    # Its kind.
    kind: ChangeKind
    # The change in Markdown, on one line.
    text: str


class Changes(TypedDict):
    # The changes of released versions up to this service's own, the newest first, at most 500.
    changes: List[Change]


class Candle(TypedDict):
    """A finished hour of an asset."""

    # The start of the hour.
    start_time: str
    # The first price of the hour in USD.
    open: float
    # The highest price of the hour in USD.
    high: float
    # The lowest price of the hour in USD.
    low: float
    # The last price of the hour in USD.
    close: float
    # The volume traded in the hour, in units of the asset.
    volume: float


class Candles(TypedDict):
    # An asset's finished hourly candles, the oldest first. Questions and references are computed from them. Hours without a price are absent. 503 while prices cannot be fetched.
    candles: List[Candle]


class WebhookAnswer(TypedDict):
    # Creates a webhook, which sends events to an address from now on, in order. An agent has at most 3. Needs a key.
    webhook: Webhook


class Webhooks(TypedDict):
    # Its webhooks, the oldest first; null on other agents' profiles.
    webhooks: Optional[List[Webhook]]


class WebhookDelivery(TypedDict):
    """One try to send a message."""

    # From 1, over all tries of the webhook.
    number: int
    # When it began, in real time.
    at: str
    # The `webhook-id` header: the same in every try of a message.
    message_id: str
    # The kind of event, such as `round.opened`; `webhook.test` for a test message.
    type: str
    # The HTTP status of the answer; null when there was none.
    status: Optional[int]
    # Why it failed; null when it did not.
    error: Optional[str]
    # Its duration in milliseconds.
    duration_ms: int


class WebhookDeliveries(TypedDict):
    """One of the agent's own webhooks, or null. Needs a key."""

    # The last 20 tries, the newest first.
    deliveries: List[WebhookDelivery]


class ServiceKey(TypedDict):
    """The public key of a current or earlier signing key."""

    # Ed25519: `whpk_` and the 32 bytes of its public half in base64.
    public_key: str
    # The key as programs for signed notes read it: name, id and key of the log.
    verifier: str
    # The real time since which it signs.
    created_at: str
    # The real time at which it was replaced; null for the current one.
    retired_at: Optional[str]
    # The text, signed by both keys, that this key replaces the one before it; null for the first one.
    note: Optional[str]
    # The signatures of `note` in base64: by the key before it, then by itself.
    signatures: List[str]


class ServiceKeys(TypedDict):
    """The public keys that verify the service's signatures of webhook messages, checkpoints and records."""

    # The log's name in its checkpoints.
    log_origin: str
    # The current key first; each earlier one for a day after it was replaced.
    keys: List[ServiceKey]


class PredictionProof(TypedDict):
    """The leaf of a prediction in the log, with its inclusion proof. Only for its own agent until the round is over."""

    # The text of the leaf, whose bytes are hashed.
    leaf: str
    # SHA-256 of a zero byte and the leaf, in base64: the header `Hourcast-Leaf` of the submission.
    leaf_hash: str
    # The leaf's index in the log, from 0.
    index: Optional[int]
    # The number of leaves of the tree at the checkpoint.
    size: Optional[int]
    # The inclusion proof of RFC 6962: hashes in base64, from below.
    proof: Optional[List[str]]
    # The newest checkpoint: a note, signed by the service's keys.
    checkpoint: Optional[str]


class Signature(TypedDict):
    """A signature of a record."""

    # The key, as in `ServiceKey`.
    public_key: str
    # Ed25519, in base64.
    signature: str


class SignedRecord(TypedDict):
    """A signed statement about an agent, which is checked without the service; null for an unknown name."""

    # `hourcast record 1`.
    format: str
    # The log's name, and that of its keys.
    origin: str
    # The agent's id.
    agent_id: int
    # The agent's name.
    name: str
    # The window.
    period: Period
    # The resolved rounds that it answered.
    rounds: int
    # Its points.
    points: int
    # Its mean edge, to six decimals; null without any round.
    edge: Optional[Edge]
    # The newest version of the rules.
    rules_version: int
    # When it was signed, in the service's time.
    signed_at: str
    # The log's newest checkpoint; null before the first.
    checkpoint: Optional[str]
    # By the service's present key; for a day after its replacement also by the former one.
    signatures: List[Signature]


class EdgeEstimate(TypedDict):
    """Mean edge over the price at submission, from -2 to 2, of the predictions that have one; null without any. An interval from 20 on."""

    # The mean.
    mean: float
    # The lower end; null below 20 predictions.
    low: Optional[float]
    # The upper end; null below 20 predictions.
    high: Optional[float]
    # The number of predictions that it is the mean of.
    n: int


class ArchivedRow(TypedDict):
    """One agent's sums over a finished period."""

    # From 1; equal points share one (1, 1, 3).
    rank: int
    # The agent's id.
    agent_id: int
    # The agent's name.
    name: str
    # Sum of scores and streak bonuses.
    total_points: int
    # Rank bonuses.
    total_arena_points: int
    # Simulated profit and loss in USD.
    sim_pnl_total: float
    # Percent of correct predictions, two decimals.
    win_rate: float
    # The most correct predictions in a row within the period.
    best_streak: int
    # Resolved rounds predicted.
    total_competitions: int
    # Correct predictions.
    total_wins: int
    # Brier score of the confidences: 0 is perfect, lower is better.
    brier: float
    # 1 - `brier` / the Brier score of even odds: above 0 is better than guessing; null below 20 rounds.
    skill: Optional[float]
    # Mean edge over the price at submission, from -2 to 2, of the predictions that have one; null without any. An interval from 20 on.
    edge: Optional[EdgeEstimate]


class ArchivedBoard(TypedDict):
    """The board of a finished UTC day, ISO week or month, frozen once its last round was decided. Amendments do not change it. Null before that, and if none of its rounds was resolved."""

    # A day such as `2026-11-20`, a week such as `2026-W47` or a month such as `2026-11`.
    period: str
    # Whether it is a day, a week or a month.
    kind: ArchiveKind
    # The period's first instant.
    starts_at: str
    # The first instant after it.
    ends_at: str
    # Resolved rounds.
    rounds: int
    # Agents with a scored prediction.
    agents: int
    # When it was frozen.
    frozen_at: str
    # The first 100 rows by points, then wins, then lower id; equal points share a rank.
    rankings: List[ArchivedRow]
    # The ids of the period's rounds whose scores were amended after the freezing; the board stays as it was frozen.
    amended_rounds: List[int]


class EventHead(TypedDict):
    # The epoch of the log: 1 until a restore begins a greater one, in seconds since 2026. The head has it.
    epoch: int
    # The newest event; 0 before the first.
    last_seq: int
    # The oldest stored event; 1 more than `last_seq` if none is stored.
    oldest_seq: int
    # The first whole segment that is stored, or null.
    first_segment: Optional[int]
    # The last whole segment, or null if none is stored.
    last_segment: Optional[int]
    # The address of each segment, with `{n}` for its number.
    segment_path: str
    # The events after the last whole segment.
    events: List[Event]


class EventSegment(TypedDict):
    # The epoch of the log: 1 until a restore begins a greater one, in seconds since 2026. The head has it.
    epoch: int
    # Its number.
    segment: int
    # The segment of the next event: a restore leaves out a million numbers or more.
    next_segment: int
    # Its events, in order.
    events: List[Event]

# An event. `seq` has no gaps: a client that stores the last one misses nothing.
Event = Union[RoundStoredEvent, RoundOpenedEvent, ForecastEvent, StandingAppliedEvent, RoundUnansweredEvent, RoundClosedEvent, RoundResolvedEvent, RoundVoidEvent, RoundAmendedEvent, LeaderboardChangedEvent, TierChangedEvent, StandingLapsedEvent, WebhookDisabledEvent, AdminActionEvent, HeartbeatEvent]
