"""Plays a deal at a table of `arena serve` by its HTTP interface, in the standard library alone.

    arena serve --port 8080 &
    python3 examples/serve_client.py http://127.0.0.1:8080

It passes, and plays the card that the hint recommends. The interface is described at /api/v1/openapi.json.
"""

import json
import sys
import urllib.request


def ask(base, path, token="", body=None):
    """Sends a request and returns the JSON of the answer."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    data = None
    if body is not None:
        headers["Content-Type"], data = "application/json", json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(f"{base}/api/v1/{path}", data, headers)) as answer:
        return json.load(answer)


def main(base):
    made = ask(base, "tables", body={"partner": "net", "others": "net", "seed": "example", "name": "client"})
    table, token = f"tables/{made['id']}", made["seats"][0]["token"]
    state = ask(base, table, token)
    while not state["over"]:
        if state["legal"]["calls"]:
            state = ask(base, f"{table}/call", token, {"call": "P"})
        else:
            advice = ask(base, f"{table}/hint", token)["advice"]
            state = ask(base, f"{table}/play", token, {"card": advice})
    print("contract", state["contract"], "score", state["over"]["score"])


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"))
