import json
import os
import subprocess
import sys
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from bot import ASSETS, forecast

MARKET = {"assets": {asset: {"price_usd": 100, "change_1h": n - 3.5} for n, asset in enumerate(ASSETS)}}
GENERAL = {"id": 7, "question": "Which?", "start_time": "2026-01-01T12:00:00.000Z"}
CHOICE = {
    **GENERAL,
    "prediction_format": "choice",
    "question_type": "best_performer",
    "choices": ASSETS,
    "params": {},
}
BOOLEAN = {
    **GENERAL,
    "prediction_format": "boolean",
    "question_type": "direction",
    "choices": ["YES", "NO"],
    "params": {"subject": "BTC", "operator": ">", "threshold_pct": None},
}
FIELD = {**BOOLEAN, "params": {"subject": None, "operator": "<=", "threshold_pct": "0.3"}}

ANSWERS = {
    "/api/rounds/current": {"round": CHOICE, "time_remaining_seconds": 1800},
    "/api/data/market": MARKET,
    "/api/rounds/recent?limit=50": {"rounds": []},
    "/api/me/standing": {"rows": []},
}


class TheBot(unittest.TestCase):
    def test_its_answer_is_one_of_the_choices_with_a_percentage(self):
        for round_ in (CHOICE, BOOLEAN, FIELD):
            prediction, confidence = forecast(round_, MARKET, [])
            self.assertIn(prediction, round_["choices"])
            self.assertIn(confidence, range(101))

    def test_a_run_sends_one_prediction_and_the_standing_answers_and_nothing_else(self):
        sent = []

        class Service(BaseHTTPRequestHandler):
            def _answer(self):
                if self.command != "GET":
                    body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                    sent.append((self.path, self.headers["authorization"], body))
                text = json.dumps(ANSWERS.get(self.path, {})).encode()
                self.send_response(200)
                self.send_header("content-length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = do_PUT = _answer

            def log_message(self, *_):
                pass

        key = f"pk_live_{'0' * 48}"
        with HTTPServer(("127.0.0.1", 0), Service) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            env = {**os.environ, "HOURCAST_URL": f"http://127.0.0.1:{server.server_port}", "HOURCAST_KEY": key}
            command = [sys.executable, "bot.py"]
            subprocess.run(command, cwd=Path(__file__).parent, env=env, check=True, stdout=subprocess.DEVNULL)
            server.shutdown()
        self.assertEqual([path for path, _, _ in sent], ["/api/me/standing", "/api/predictions"])
        self.assertEqual(len(sent[0][2]["rows"]), 13)
        self.assertEqual(sent[1][1], f"Bearer {key}")
        self.assertEqual(sent[1][2]["round_id"], 7)
        self.assertIn(sent[1][2]["prediction"], ASSETS)


if __name__ == "__main__":
    unittest.main()
