"""Loads `arena serve` with open games and analyses, and measures what players notice.

    python3 serve/tests/load.py target/release/arena [--games 200] [--analyses 20] [--seconds 30] [--finished 10000]

Games are played at tables of `net` by players who think for a second or so, each with its stream of events, who seldom ask for a hint; analyses ask
for one position after the other, and leave some. The time of an answer is that from a card or call to the state at the
next turn, with the bots' replies. Then many deals are finished, and the resident memory is printed as they are. Exits with 1
if an answer took longer than --limit milliseconds or memory grew in the second half by more than a tenth.
"""

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time

SUITS, RANKS = "CDHS", "789TJQKA"


class Connection:
    """A connection that is kept, as a browser does."""

    def __init__(self, port):
        self.port, self.reader, self.writer = port, None, None

    async def send(self, path, token="", body=None):
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{'GET' if body is None else 'POST'} /api/v1/{path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
        head += f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        self.writer.write(head.encode() + data)
        return (await self.reader.readuntil(b"\r\n\r\n")).decode().lower()

    async def ask(self, path, token="", body=None):
        head = await self.send(path, token, body)
        size = int(re.search(r"content-length: (\d+)", head).group(1))
        text = await self.reader.readexactly(size)
        if " 200 " not in head.split("\r\n", 1)[0]:
            raise RuntimeError(f"{path}: {head.splitlines()[0]}: {text.decode()}")
        return json.loads(text)

    def close(self):
        if self.writer is not None:
            self.writer.close()
            self.writer = None


async def new_table(connection, seed):
    made = await connection.ask("tables", body={"partner": "net", "others": "net", "seed": seed, "name": "load"})
    return f"tables/{made['id']}", made["seats"][0]["token"]


async def game(port, number, until, times):
    """Plays deals, a choice at a time."""
    rng, connection, events = random.Random(f"game {number}"), Connection(port), Connection(port)
    table, token = await new_table(connection, f"load {number}")
    await events.send(f"{table}/events", token)

    async def watch():
        while await events.reader.read(1 << 16):
            pass

    watching = asyncio.create_task(watch())
    state = await connection.ask(table, token)
    while True:
        await asyncio.sleep(rng.uniform(0.5, 1.5))
        if time.monotonic() >= until:
            break
        if state["over"]:
            action, body = "next", {}
        elif state["legal"]["calls"]:
            action, body = "call", {"call": "P"}
        else:
            action, body = "play", {"card": rng.choice(state["legal"]["cards"])}
        if not state["over"] and rng.random() < 0.005:
            began = time.monotonic()
            await connection.ask(f"{table}/hint", token)
            times["hint"].append(1000 * (time.monotonic() - began))
        began = time.monotonic()
        state = await connection.ask(f"{table}/{action}", token, body)
        times[action].append(1000 * (time.monotonic() - began))
    watching.cancel()
    connection.close()
    events.close()


async def analysis(port, number, until, done):
    """Reads the analysis of positions; leaves every second one before its end."""
    rng, connection = random.Random(f"analysis {number}"), Connection(port)
    while time.monotonic() < until:
        deck = [rank + suit for suit in SUITS for rank in RANKS]
        rng.shuffle(deck)
        hands = "%7C".join("+".join(deck[8 * seat : 8 * seat + 8]) for seat in range(4))
        auction = rng.choice(["", "&auction=100S+P+P+P"])
        await connection.send(f"position/events?rules=bga&dealer=3&hands={hands}{auction}&bots=net+rules%2Bpimc")
        leaves = time.monotonic() + (rng.uniform(0.2, 3) if rng.random() < 0.5 else 1e9)
        text = b""
        while b"event: done" not in text:
            left = min(leaves, until) - time.monotonic()
            try:
                text = (text + await asyncio.wait_for(connection.reader.read(1 << 16), max(0, left)))[-1000000:]
            except asyncio.TimeoutError:
                break
            done["answers"] = done.get("answers", 0) + 1
        else:
            done["ended"] = done.get("ended", 0) + 1
        connection.close()


def usage(process):
    """Returns the processor time in seconds, resident memory in MiB and open files of the server."""
    fields = open(f"/proc/{process.pid}/stat").read().rsplit(")", 1)[1].split()
    seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    resident = int(re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{process.pid}/status").read()).group(1)) / 1024
    return seconds, resident, len(os.listdir(f"/proc/{process.pid}/fd"))


def row(name, times):
    if not times:
        return
    times.sort()
    at = lambda share: times[min(len(times) - 1, int(share * len(times)))]
    print(f"{name:<6}{len(times):7}  median {at(0.5):6.1f} ms  99 % {at(0.99):6.1f}  most {times[-1]:6.1f}")


async def load(port, process, args):
    times = {"call": [], "play": [], "next": [], "hint": []}
    done, (before, _, _), began = {}, usage(process), time.monotonic()
    until = began + args.seconds
    tasks = [game(port, n, until, times) for n in range(args.games)]
    tasks += [analysis(port, n, until, done) for n in range(args.analyses)]
    await asyncio.gather(*tasks)
    after, resident, files = usage(process)
    print(f"{args.games} games and {args.analyses} analyses for {args.seconds} s, load {os.getloadavg()[0]:.1f}")
    for name, values in times.items():
        row(name, values)
    print(f"analyses: {done.get('answers', 0)} answers, {done.get('ended', 0)} to the end")
    print(f"server: {after - before:.1f} s of processor time, {resident:.0f} MiB, {files} files")
    return max(value for name, values in times.items() if name != "hint" for value in values)


async def finish(port, process, args):
    """Finishes deals at tables of their own: bots play after the player has given up."""
    numbers, seen, began = iter(range(args.finished)), [], time.monotonic()

    async def player():
        connection = Connection(port)
        for number in numbers:
            table, token = await new_table(connection, f"finished {number}")
            state = await connection.ask(f"{table}/resign", token, {})
            assert state["over"], state
            if (number + 1) % max(1, args.finished // 10) == 0:
                seconds, resident, files = usage(process)
                print(f"{number + 1:6} finished: {resident:.0f} MiB, {files} files, {time.monotonic() - began:.0f} s")
                seen.append(resident)
        connection.close()

    await asyncio.gather(*[player() for _ in range(8)])
    return max(seen[len(seen) // 2 :]) / seen[len(seen) // 2 - 1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("arena")
    for name, value in [("games", 200), ("analyses", 20), ("seconds", 30), ("finished", 10000), ("limit", 100)]:
        parser.add_argument(f"--{name}", type=int, default=value)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        command = [args.arena, "serve", "--tables", f"{directory}/tables", "--threads", "2"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            port = int(re.search(r":(\d+)/", process.stdout.readline()).group(1))
            slowest = asyncio.run(load(port, process, args)) if args.games else 0
            grown = asyncio.run(finish(port, process, args)) if args.finished else 1
        finally:
            process.terminate()
            process.wait()
    if slowest > args.limit:
        sys.exit(f"an answer took {slowest:.0f} ms")
    if grown > 1.1:
        sys.exit(f"memory grew to {grown:.2f} of half-way")


if __name__ == "__main__":
    main()
