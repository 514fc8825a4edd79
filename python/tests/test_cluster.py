"""Commands in parts: the bytes of the undivided command, whatever happens.

Needs the program: `COINCHE_ARENA=../target/release/arena pytest`.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from coinche import cluster
from coinche.cluster import _hyperqueue, _pool
from coinche.cluster._plan import Plan
from coinche.cluster._progress import _time

# Where pytest runs in the background of a script it ignores this signal, and what it starts would, too.
signal.signal(signal.SIGINT, signal.default_int_handler)

ARENA = os.environ.get("COINCHE_ARENA")
needs_arena = pytest.mark.skipif(ARENA is None, reason="COINCHE_ARENA is not set")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a shell")

QUICK = 'bots = ["rules", "random"]\ndeals = 400\nseed = 1\nrecords = "full"\n'
SLOW = 'bots = ["table+pimc:worlds=16", "rules"]\ndeals = 80\nseed = 1\nrecords = "full"\n'
# A part that is at work until it is told to go on.
WAITS = "for i in $(seq 200); do [ -e go ] && break; sleep 0.05; done"
# HyperQueue's wheel starts workers only for a server of its own: this one looks for it elsewhere.
WORKER = """
import pathlib, sys, tempfile, threading
import hyperqueue, hyperqueue.cluster
own = pathlib.Path(tempfile.mkdtemp(dir=sys.argv[2]))
cluster = hyperqueue.LocalCluster(str(own))
(own / "hq-current").unlink()
(own / "hq-current").symlink_to((pathlib.Path(sys.argv[1]) / "hq-current").resolve())
cluster.start_worker(hyperqueue.cluster.WorkerConfig(cores=1))
threading.Event().wait()
"""


@pytest.fixture(autouse=True)
def here(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    monkeypatch.chdir(tmp_path)
    pathlib.Path("quick.toml").write_text(QUICK, encoding="utf-8")
    pathlib.Path("slow.toml").write_text(SLOW, encoding="utf-8")
    return tmp_path


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "coinche.cluster", *map(str, words)]


def call(*words: object, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*words), capture_output=True, text=True, check=False, timeout=120, **more)


def arena(*words: object) -> str:
    assert ARENA is not None
    return subprocess.run([ARENA, *map(str, words)], check=True, capture_output=True, text=True).stdout


def files(directory: pathlib.Path) -> dict[str, Any]:
    """All files of a run, but for what tells how long it took."""
    found: dict[str, Any] = {path.name: path.read_bytes() for path in directory.iterdir()}
    found["run.json"] = json.loads(found["run.json"])
    found["run.json"].pop("timing")
    found["run.json"].pop("crc")
    # It has the sum of that file, and of itself.
    found["checksums.txt"] = re.findall(r"^\w+ \d+ (?!run\.json|checksums\.txt).*", found["checksums.txt"].decode(), re.MULTILINE)
    return found


Undivided = Callable[[str, pathlib.Path, str], None]


@pytest.fixture(scope="module")
def undivided(tmp_path_factory: pytest.TempPathFactory) -> Undivided:
    """Tests if files and a verdict are those of the undivided command, which is run once."""
    directory = tmp_path_factory.mktemp("undivided")
    made: dict[str, str] = {}

    def compare(config: str, whole: pathlib.Path, text: str) -> None:
        if config not in made:
            (directory / "one.toml").write_text(config, encoding="utf-8")
            out = directory / str(len(made))
            made[config] = arena("run", "--config", directory / "one.toml", "--out", out, "--progress", "none")
        one, other = files(directory / str(list(made).index(config))), files(whole)
        assert one.keys() == other.keys() and len(one["records.jsonl"]) > 10_000
        for name in one:
            assert one[name] == other[name], name
        # The command begins with what it is.
        assert made[config].startswith("arena run") and made[config].endswith(f"\n\n{text}") and len(text) > 1_000

    return compare


def begun(directory: str) -> dict[str, int]:
    """How often each part was begun."""
    logs = sorted(pathlib.Path(directory, "logs").glob("[0-9]*[0-9].err"))
    return {path.stem: len(re.findall("^== ", path.read_text(encoding="utf-8"), re.MULTILINE)) for path in logs}


def played(directory: str) -> int:
    """How many deals are saved."""
    done = 0
    for path in pathlib.Path(directory, "parts").glob("*/part.json"):
        state = json.loads(path.read_text(encoding="utf-8"))
        done += state["done"] - state["start"]
    return done


def wait_until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def tasks() -> list[str]:
    """What processes of parts there are in this directory."""
    found, mine = [], os.fsencode(os.getcwd())
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if mine in words and (b"--shard" in words or b"part.sh" in words):
            found.append(words.decode().replace("\0", " "))
    return found


@needs_arena
def test_the_bytes_of_one_undivided_run(undivided: Undivided) -> None:
    seen: list[cluster.Status] = []
    result = cluster.run("quick.toml", workers=2, shards=5, progress=seen.append, verify_result=True)
    assert result.path == pathlib.Path("quick/whole").absolute() and result.exit == 0
    undivided(QUICK, result.path, result.text)
    verdict = result.verdict
    assert verdict is not None and verdict.deals == 400 and verdict.interval is not None and verdict.mean is not None
    assert verdict.interval[0] < verdict.mean < verdict.interval[1] and verdict.headline in str(result) and verdict.path == result.path
    assert repr(result) == f"<Result: {verdict.headline}>" and "\n" not in verdict.headline
    assert all(status.parts == 5 and status.asked == 400 and status.unit == "deals" for status in seen)
    # What is done costs nothing: no part is begun again, and HyperQueue does not even start.
    before = begun("quick")
    again = cluster.run("quick.toml", workers=1)
    assert again == result and begun("quick") == before == dict.fromkeys(before, 1) and len(before) == 5
    assert cluster.run("quick", progress=False) == result
    # A part that is lost is made again, and it alone.
    for path in [*pathlib.Path("quick/parts/0003").iterdir(), *pathlib.Path("quick/whole").iterdir()]:
        path.unlink()
    pathlib.Path("quick/whole").rmdir()
    once_more = cluster.run("quick", workers=2)
    assert begun("quick") == {**before, "0003": 2} and once_more.text == result.text
    undivided(QUICK, pathlib.Path("quick/whole"), once_more.text)


@needs_arena
def test_a_command_and_the_command_line(undivided: Undivided) -> None:
    words = ["run", "rules", "random", "--deals", "400", "--seed", "1", "--records", "full"]
    done = call("--workers", 2, "--shards", 3, "--out", "parts of mine", "--", *words)
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[-1] == f"written to {pathlib.Path('parts of mine/whole').absolute()}" and "warning" not in done.stderr
    undivided(QUICK, pathlib.Path("parts of mine/whole"), done.stdout)
    assert not tasks()
    # As the library takes it.
    assert cluster.run(words, out="parts of mine").text == done.stdout
    with pytest.raises(ValueError):
        cluster.run([*words, "--lines", "jsonl.zst"], out="parts of mine")


@needs_arena
def test_ctrl_c_and_on(undivided: Undivided) -> None:
    process = subprocess.Popen(command("slow.toml", "--workers", 2, "--shards", 6), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: played("slow") > 2)
    process.send_signal(signal.SIGINT)
    told, errors = process.communicate()
    assert process.returncode == 130 and not told and errors.splitlines()[-1].startswith("interrupted after ") and "same command resumes" in errors
    # All have ended, and what they played is saved.
    assert not tasks() and 0 < played("slow") < 80
    assert not pathlib.Path("slow/whole").exists()
    # And once more by the signal of schedulers; then by one that cannot be caught.
    for end in (signal.SIGTERM, signal.SIGKILL):
        before = played("slow")
        process = subprocess.Popen(command("slow.toml", "--workers", 2, "--quiet"))
        wait_until(lambda: played("slow") > before)
        process.send_signal(end)
        assert process.wait() == (130 if end == signal.SIGTERM else -end)
    done = call("slow", "--workers", 2)
    assert done.returncode == 0, done.stderr
    undivided(SLOW, pathlib.Path("slow/whole"), done.stdout)


def test_ctrl_c_waits_for_parts_that_save(here: pathlib.Path) -> None:
    stand = Stand(here, "label", WAITS, "", first="trap 'sleep 0.4; echo >saved$1; exit 130' INT TERM")
    process = subprocess.Popen(command(stand.directory, "--arena", stand.arena, "--workers", 2), stderr=subprocess.PIPE, text=True)
    wait_until(lambda: len(begun("plan")) == 2)
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None and process.stderr.read().endswith("interrupted after 0 of 10 deals, 0 of 2 parts; the same command resumes\n")
    assert process.wait() == 130 and sorted(path.name for path in stand.directory.glob("saved*")) == ["saved1", "saved2"]


# The only server in the wheel has no keys, and is refused.
WITHOUT_KEY = """
import sys
from coinche.cluster import _hyperqueue, __main__
_hyperqueue.HyperQueue._check_keys = lambda _: None
sys.exit(__main__.main())
"""


def command_without_key(*words: object) -> list[str]:
    return [sys.executable, "-c", WITHOUT_KEY, *map(str, words)]


@pytest.fixture
def server(here: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[pathlib.Path]:
    """A server without workers."""
    hyperqueue = pytest.importorskip("hyperqueue")
    directory = here / "server"
    # HyperQueue leaves its sockets there.
    monkeypatch.setattr(tempfile, "tempdir", str(here))
    monkeypatch.setenv("TMPDIR", str(here))
    with hyperqueue.LocalCluster(str(directory)):
        with pytest.raises(cluster.ClusterError, match=r"asks its clients for no key, .* `hq server start --server-dir"):
            _hyperqueue.HyperQueue(Plan(here, "label", False, 2, 1), directory, None).__enter__()
        monkeypatch.setattr(_hyperqueue.HyperQueue, "_check_keys", lambda _: None)
        yield directory


def worker(server: pathlib.Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", WORKER, str(server), str(server)], stdout=subprocess.DEVNULL)


@needs_arena
def test_a_worker_of_a_server_is_killed(server: pathlib.Path, undivided: Undivided) -> None:
    workers = [worker(server) for _ in range(2)]
    try:
        process = subprocess.Popen(
            command_without_key("slow.toml", "--shards", 6, "--server", server), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        wait_until(lambda: played("slow") > 2)
        workers.pop(0).kill()
        told, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
    finally:
        for one in workers:
            one.kill()
            one.wait()
    undivided(SLOW, pathlib.Path("slow/whole"), told)
    # Its part was begun twice; of the others none.
    assert sorted(begun("slow").values()) == [1, 1, 1, 1, 1, 2]


@needs_arena
def test_a_server_goes_on_without_us(server: pathlib.Path, monkeypatch: pytest.MonkeyPatch, undivided: Undivided) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    process = subprocess.Popen(command_without_key("quick.toml", "--shards", 3, "--server", server), stderr=subprocess.PIPE, text=True)
    wait_until(lambda: pathlib.Path("quick/hyperqueue.json").exists())
    kept = pathlib.Path("quick/hyperqueue.json").read_text(encoding="utf-8")
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    assert f"job 1 continues: the same command follows it, `hq --server-dir {server} job cancel 1` ends it" in process.stderr.read()
    assert process.wait() == 130
    only = worker(server)
    try:
        result = cluster.run("quick.toml", server=server, progress=False)
    finally:
        only.kill()
        only.wait()
    # It was the same job.
    assert pathlib.Path("quick/hyperqueue.json").read_text(encoding="utf-8") == kept and set(begun("quick").values()) == {1}
    assert result.path is not None
    undivided(QUICK, result.path, result.text)


@needs_arena
def test_a_program_that_fails(here: pathlib.Path, undivided: Undivided) -> None:
    bot = here / "bot.sh"
    # It fails in one part, which its parents know.
    fails = f"""
    [ -e {here}/broken ] && for ancestor in $PPID $(awk '/^PPid/ {{ print $2 }}' /proc/$PPID/status); do
      tr '\\0' ' ' </proc/$ancestor/cmdline | grep -q -- "--shard $(cat {here}/broken)/" && exit 3
    done
    """
    bot.write_text(f'{fails}\nexec "{ARENA}" engine rules\n', encoding="utf-8")
    config = f'bots = ["cmd:sh {bot}", "random"]\ndeals = 40\nseed = 1\nrecords = "full"\n'
    pathlib.Path("program.toml").write_text(config, encoding="utf-8")
    broken = here / "broken"
    broken.write_text("2", encoding="utf-8")
    with pytest.raises(cluster.PartsFailed, match=r"^1 of 4 parts failed \(2\): when the cause is removed, the same command makes these alone$") as failed:
        cluster.run("program.toml", workers=2, shards=4, progress=False)
    [part] = failed.value.parts
    assert part.number == 2 and part.exit not in (0, None) and part.log == here / "program" / "logs" / "0002.err"
    assert "ended with exit code 3" in "\n".join(part.stderr) and part.log.read_text(encoding="utf-8").strip().endswith(part.stderr[-1])
    assert not pathlib.Path("program/whole").exists() and played("program") == 30
    done = call("program.toml", "--workers", 2)
    assert done.returncode == 1 and not done.stdout
    assert f"part 2 failed with exit code {part.exit} ({part.log})\n  {part.stderr[0]}\n" in done.stderr
    assert done.stderr.splitlines()[-1].startswith("error: 1 of 4 parts failed (2)")
    broken.unlink()
    result = cluster.run("program.toml", workers=2)
    assert begun("program") == {"0001": 1, "0002": 3, "0003": 1, "0004": 1} and result.path is not None
    undivided(config, result.path, result.text)


@needs_arena
def test_what_cannot_be_done_is_said(here: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("hyperqueue")
    pathlib.Path("wrong.toml").write_text("bots = [\n", encoding="utf-8")
    pathlib.Path("unknown.toml").write_text('bots = ["rules", "nobody"]\n', encoding="utf-8")
    for config in ("wrong", "unknown"):
        with pytest.raises(ValueError, match="wrong.toml|nobody"):
            cluster.run(f"{config}.toml", workers=2)
        assert call(f"{config}.toml", "--workers", 2).returncode == 2 and not pathlib.Path(config).exists()
    cases: list[tuple[Any, dict[str, Any], str]] = [
        ("gone.toml", {}, "gone.toml: no such file; expected a configuration file"),
        (str(here), {}, "holds no plan"),
        ("quick.toml", {"workers": 0}, "workers is at least 1, not 0"),
        ("quick.toml", {"server": "gone"}, "hq server start --server-dir gone"),
        ("quick.toml", {"arena": "gone"}, "gone is no program"),
        (["run", "rules", "random"], {}, "needs a directory"),
    ]
    for what, more, why in cases:
        with pytest.raises((ValueError, FileNotFoundError), match=why):
            cluster.run(what, **more)
    with pytest.raises(cluster.ClusterError, match=r"No running instance of HQ") as no_server:
        cluster.run("quick.toml", server=here, shards=4)
    assert "backtrace" not in str(no_server.value) and len(str(no_server.value)) < 500
    with pytest.raises(ValueError, match="in 4 parts: they cannot become 3"):
        cluster.run("quick", shards=3)
    monkeypatch.setitem(sys.modules, "hyperqueue", None)
    with pytest.raises(ModuleNotFoundError, match="pip install hyperqueue"):
        cluster.run("quick", server=here)
    monkeypatch.delenv("COINCHE_ARENA")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(sys, "executable", str(here / "python"))
    with pytest.raises(FileNotFoundError, match="pip install ./python/arena"):
        cluster.run("quick.toml")


class Stand:
    """A plan of two parts with scripts of our own, and a stand-in of the arena that tells how far it is."""

    def __init__(self, here: pathlib.Path, kind: str, part: str, merge: str, first: str = ":") -> None:
        self.directory = here / "plan"
        (self.directory / "logs").mkdir(parents=True)
        plan = {"kind": f'"{kind}"', "stepwise": "true" if kind == "sprt" else "false", "shards": 2}
        text = "".join(f"{key} = {value}\n" for key, value in plan.items())
        self.write("plan.toml", f"{text}# crc {zlib.crc32(text.encode()):08x}\n")
        # What a part does first is done before it counts as begun.
        self.write("part.sh", f'cd {self.directory}; n=000$1; {first}; echo "== part $1" >>logs/$n.err\n{part}\n')
        self.write("merge.sh", f'cd {self.directory}; echo "merged" >>merges\n{merge}\n')
        self.arena = here / "stand-in"
        self.is_now("waiting")

    def is_now(self, state: str) -> None:
        status = {"state": state, "asked": 10, "done": 0, "unit": "deals", "missing": [1, 2], "verdict": None}
        self.arena.write_text(f"#!/bin/sh\n[ $1 = status ] && echo '{json.dumps({'v': 1, 'jobs': [status]})}'\n", encoding="utf-8")
        self.arena.chmod(0o755)

    def write(self, name: str, text: str) -> None:
        (self.directory / name).write_text(text, encoding="utf-8")

    def run(self, **more: Any) -> cluster.Result:
        return cluster.run(self.directory, arena=self.arena, workers=2, **more)

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """While it is at parts that wait for a file."""
        other = threading.Thread(target=self.run, kwargs={"progress": False}, daemon=True)
        other.start()
        try:
            wait_until(lambda: begun("plan"))
            yield
        finally:
            self.write("go", "")
            other.join(60)


def test_waves_go_on_until_there_is_a_decision(here: pathlib.Path) -> None:
    stand = Stand(here, "sprt", "", "echo decided >whole.txt\n[ $(grep -c . merges) -lt 3 ] && exit 12\nexit 10")
    result = stand.run()
    assert (result.exit, result.text, result.path, result.verdict) == (10, "decided\n", None, None)
    assert begun("plan") == {"0001": 3, "0002": 3}
    # Given again it says the same, at once.
    (stand.directory / "logs" / "merge.exit").write_text("10\n", encoding="utf-8")
    stand.is_now("done")
    assert stand.run() == result and begun("plan") == {"0001": 3, "0002": 3}
    # Which is no decision of another command.
    (here / "other").mkdir()
    with pytest.raises(cluster.PartsFailed, match="putting the parts together failed with exit code 10.*\n  no such deal$") as failed:
        Stand(here / "other", "label", "", "echo 'no such deal' >logs/merge.err\nexit 10").run(progress=False)
    assert failed.value.parts[0].number is None


def test_a_part_that_is_in_use_is_waited_for(here: pathlib.Path) -> None:
    use = 'if [ $1 = 2 ] && mkdir once; then echo "error: x is in use by another process: wait for it" >>logs/$n.err; exit 3; fi'
    stand = Stand(here, "run", use, "echo whole >logs/merge.out")
    assert stand.run().text == "whole\n"
    assert begun("plan") == {"0001": 2, "0002": 2}


def test_a_server_without_workers(here: pathlib.Path, server: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster._run, "_WORKER_WARNING", 0.3)
    # Not `capsys`: reading it while another thread writes can lose what is written.
    errors = io.StringIO()
    monkeypatch.setattr(sys, "stderr", errors)
    stand = Stand(here, "label", "", "")
    other = threading.Thread(target=stand.run, kwargs={"server": server}, daemon=True)
    other.start()
    wait_until(lambda: "no part has begun yet" in errors.getvalue())
    only = worker(server)
    try:
        other.join(60)
    finally:
        only.kill()
        only.wait()
    assert (stand.directory / "merges").exists() and f"`hq --server-dir {server} worker list`" in errors.getvalue()


def test_one_call_at_a_time(here: pathlib.Path) -> None:
    stand = Stand(here, "label", WAITS, "")
    with stand.running(), pytest.raises(cluster.ClusterError, match="another process makes the parts"):
        stand.run()


def sockets_of(process: int) -> list[str]:
    """The sockets of the Internet that a process and its descendants have open."""
    found, known = [], set()
    for table in ("tcp", "tcp6", "udp", "udp6", "raw", "raw6"):
        for line in pathlib.Path(f"/proc/{process}/net/{table}").read_text(encoding="utf-8").splitlines()[1:]:
            known.add(line.split()[9])
    parents = {}
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parents[int(entry.name)] = int((entry / "stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[1])
    family = [process]
    for one in family:
        family += [child for child, parent in parents.items() if parent == one]
        with contextlib.suppress(OSError):
            for descriptor in os.listdir(f"/proc/{one}/fd"):
                with contextlib.suppress(OSError):
                    target = os.readlink(f"/proc/{one}/fd/{descriptor}")
                    if target.startswith("socket:[") and target[8:-1] in known:
                        found.append(f"{one}: {target}")
    return found


@needs_arena
def test_no_port_is_ever_open(here: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the first moment to the last: whoever could reach one could have a program run in our name."""
    (here / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(here / "temporary"))
    server = [sys.executable, "-c", "import socket; one = socket.create_server(('127.0.0.1', 0)); input()"]
    with subprocess.Popen(server, stdin=subprocess.PIPE) as opens_one:
        wait_until(lambda: sockets_of(opens_one.pid))
        opens_one.communicate(b"\n")
    looked = 0
    with subprocess.Popen(command("quick.toml", "--workers", 2, "--shards", 4), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            with contextlib.suppress(OSError):
                assert not sockets_of(process.pid)
                looked += 1
    assert process.returncode == 0 and looked > 10 and not list((here / "temporary").iterdir())


@needs_arena
def test_parts_end_with_a_call_that_is_killed(undivided: Undivided) -> None:
    process = subprocess.Popen(command("slow.toml", "--workers", 2, "--shards", 6), stderr=subprocess.DEVNULL)
    wait_until(lambda: played("slow") > 2)
    process.kill()
    process.wait()
    wait_until(lambda: not tasks())
    before = played("slow")
    assert 2 < before < 80
    done = call("slow.toml", "--workers", 2)
    assert done.returncode == 0, done.stderr
    undivided(SLOW, pathlib.Path("slow/whole"), done.stdout)


def test_no_shell(here: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand = Stand(here, "label", "", "")
    made = subprocess.Popen

    def no_shell(words: list[str], **more: Any) -> subprocess.Popen[bytes]:
        if words[0] == "sh":
            raise OSError("no more processes")
        return made(words, **more)

    monkeypatch.setattr(_pool.subprocess, "Popen", no_shell)
    with pytest.raises(cluster.PartsFailed, match="all parts failed") as failed:
        stand.run(progress=False)
    assert failed.value.parts[0].stderr == ["no more processes"]


def test_a_script_that_is_not_there(here: pathlib.Path) -> None:
    stand = Stand(here, "label", "", "")
    (stand.directory / "part.sh").unlink()
    with pytest.raises(cluster.PartsFailed, match="all parts failed") as failed:
        stand.run(progress=False)
    for part in failed.value.parts:
        assert "part.sh" in part.stderr[0] and "same paths" in part.stderr[-1]


def test_progress_is_told_as_the_arena_tells_it() -> None:
    status = cluster.Status(1_234, 10_000, "deals", 3, 8)
    assert str(status) == "1,234 of 10,000 deals, 3 of 8 parts"
    pairing = {"a": "table", "b": "rules", "pairs": 1_234, "mean": 53.12, "half_width": 4.24}
    status = cluster.Status(1_234, 10_000, "deals", 3, 8, 5_321.4, 95.2, [pairing])
    assert str(status) == "1,234 of 10,000 deals, 3 of 8 parts, 5,321 deals/s, A − B = +53.1 ± 4.2, 2 min left"
    status = cluster.Status(7, None, "matches", 0, 8, pairings=[{**pairing, "half_width": None}, pairing])
    assert str(status) == "7 matches, 0 of 8 parts, table − rules = +53.1"
    assert [_time(seconds) for seconds in (0.2, 89.5, 91, 5_339, 5_400, 172_799, 172_801)] == [
        *("1 s", "2 min", "2 min", "89 min", "1 h 30 min", "2 days", "3 days"),
    ]
