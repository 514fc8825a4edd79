"""Bots in Python in the arena."""

import inspect
import json
import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest
from conftest import ARENA, needs_arena, needs_fork, on_linux

import coinche

pytest.importorskip("coinche_arena")


class First:
    """The first legal action."""

    obs = None

    def act(self, questions):
        return questions.mask.argmax(axis=1)


class Random:
    """What the engine's `random` is, with its keys."""

    obs = None
    name = "mine"

    def act(self, questions):
        mask = questions.mask.copy()
        mask[:, 32:40] = False  # silent cards
        low = (questions.key & np.uint64(0xFFFF_FFFF)).astype(np.float64)
        high = questions.key >> np.uint64(32)
        chosen = (high * mask.sum(axis=1).astype(np.uint64)) >> np.uint64(32)
        actions = (mask.cumsum(axis=1) == (chosen + np.uint64(1))[:, None].astype(np.int64)).argmax(axis=1)
        passes = (low < 0.75 * 2**32) & mask[:, 40]
        return np.where(passes, 40, actions)


def games(directory):
    """The records of a run without the names of the bots."""
    lines = (pathlib.Path(directory) / "records.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    for record in records:
        record.pop("bots")
    return records


@pytest.mark.parametrize("rules", coinche.presets())
def test_random_in_python_plays_what_the_built_in_plays(rules, tmp_path):
    settings = dict(rules=rules, deals=150, seed=7, records="full", progress=False)
    mine = coinche.run(Random(), "rules", out=tmp_path / "mine", threads=2, **settings)
    built_in = coinche.run("random", "rules", out=tmp_path / "built-in", **settings)
    assert games(tmp_path / "mine") == games(tmp_path / "built-in")
    assert np.array_equal(mine.pairs, built_in.pairs)
    assert mine.interval == built_in.interval and mine.deals == 150


def test_voluntary_melds_and_belotes():
    rules = coinche.Rules("coinche-melds", **{"melds.announce": "voluntary", "belote.announce": "voluntary"})
    pairs = [coinche.run(bot, "rules", rules=rules, deals=100, seed=1, progress=False).pairs for bot in (Random(), "random")]
    assert np.array_equal(*pairs)


def test_the_verdict_tells_what_was_played():
    verdict = coinche.run(First(), "rules", deals=200, seed="abc", progress=False)
    assert verdict.bots == ["python:First", "rules"]
    assert verdict.pairs.shape == (200, 1)
    assert verdict.mean == pytest.approx(verdict.pairs.mean())
    low, high = verdict.interval
    assert low < verdict.mean < high < 0
    assert verdict.half_width == pytest.approx((high - low) / 2)
    assert verdict.headline.startswith("rules beats python:First by ")
    assert verdict.headline in str(verdict) and "seed abc" in verdict.headline
    assert verdict.figures["seed"] == "abc" and not verdict.interrupted and verdict.path is None
    (row,) = verdict.table
    assert (row["a"], row["b"], row["deals"], row["forfeited"]) == ("python:First", "rules", 200, 0)
    assert "<table>" in verdict._repr_html_() and "<b>rules beats" in verdict._repr_html_()
    assert repr(verdict) == f"<Verdict: {verdict.headline}>"


def test_threads_and_batches_change_nothing():
    verdicts = []
    for threads, batch in ((1, 256), (2, 256), (3, 64), (1, 2)):
        bot = Random()
        bot.batch = batch
        verdicts.append(coinche.run(bot, "rules", deals=300, seed=3, threads=threads, progress=False))
    for other in verdicts[1:]:
        assert np.array_equal(other.pairs, verdicts[0].pairs)
        assert other.text == verdicts[0].text


def test_a_bot_sees_the_same_questions_for_any_number_of_threads():
    def seen(threads):
        asked, lock = [], threading.Lock()

        def policy(obs, mask, player):
            with lock:
                asked.append((obs.tobytes(), mask.tobytes(), player.tobytes()))
            return mask.argmax(axis=1)

        coinche.run(policy, "rules", deals=600, seed=2, threads=threads, processes=False, progress=False)
        return sorted(asked)

    assert seen(1) == seen(3)


def test_several_bots_and_teams():
    verdict = coinche.run(
        "rules", "rules+python:one", "rules&python:one", players={"one": First()}, deals=60, seed=1, progress=False
    )
    assert verdict.bots == ["rules", "rules+python:one", "rules&python:one"]
    assert [(row["a"], row["b"]) for row in verdict.table] == [
        ("rules", "rules+python:one"),
        ("rules", "rules&python:one"),
        ("rules+python:one", "rules&python:one"),
    ]
    assert verdict.pairs.shape == (60, 3)
    with pytest.raises(ValueError, match="3 pairings: see `table`"):
        verdict.mean
    same = First()
    assert coinche.run(same, same, deals=20, seed=1, progress=False).mean == 0
    assert coinche.run(First(), First(), deals=20, seed=1, progress=False).bots == ["python:First", "python:First-2"]
    matches = coinche.run(First(), coinche.Bot("random"), match=True, deals=3, seed=1, progress=False)
    assert matches.figures["unit"] == "match" and matches.deals == 3


def test_observations_and_canonical_suits():
    shapes = set()

    def policy(obs, mask, player):
        shapes.add((obs.shape[1], obs.dtype, mask.dtype, player.dtype))
        return mask.argmax(axis=1)

    for obs in ("bytes", "bits", None):
        policy.obs = obs
        coinche.run(policy, "rules", deals=5, seed=1, processes=False, progress=False)
    assert shapes == {(n, np.dtype("u1"), np.dtype("?"), np.dtype("u1")) for n in (1344, 168, 0)}

    # A net sees what an environment shows: of each row the same bits, with suits renamed or not.
    for canonical in (False, True):
        env = coinche.VecEnv(64, "bga", seed=5, canonical=canonical)
        first = {env.obs[row].tobytes(): env.mask[row].tobytes() for row in range(64)}
        met = set()

        class Looking:
            def act(self, questions):
                for obs, mask in zip(questions.obs, questions.mask):
                    if first.get(obs.tobytes()) == mask.tobytes():
                        met.add(obs.tobytes())
                return questions.mask.argmax(axis=1)

        Looking.canonical = canonical
        coinche.run(Looking(), Looking(), deals=64, seed=5, processes=False, progress=False)
        assert met == set(first)


def test_what_a_bot_does_wrong_is_a_fault_of_its_own():
    class Wrong(First):
        asked = 0

        def act(self, questions):
            actions = super().act(questions)
            actions[questions.key % np.uint64(50) == 0] = 9999
            return actions

    verdict = coinche.run(Wrong(), "rules", deals=100, seed=1, progress=False)
    wrong, right = verdict.figures["figures"]["by_bot"]
    assert sum(wrong["faults"].values()) > 20 and sum(right["faults"].values()) == 0
    assert verdict.table[0]["forfeited"] == 0

    class Failing(First):
        def act(self, questions):
            if (questions.key % np.uint64(400) == 0).any():
                raise RuntimeError("no answer")
            return super().act(questions)

    verdict = coinche.run(Failing(), "rules", deals=100, seed=1, progress=False)
    assert 0 < verdict.table[0]["forfeited"] < 30
    again = coinche.run(Failing(), "rules", deals=100, seed=1, threads=2, progress=False)
    assert np.array_equal(again.pairs, verdict.pairs)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda mask: mask.argmax(axis=1).astype(float), "actions as integers, but they are float64"),
        (lambda mask: mask.argmax(axis=1)[:-1], "shape is"),
        (lambda mask: mask, "shape is"),
        (lambda mask: None, "shape is"),
        (lambda mask: 1 // 0, "ZeroDivisionError"),
        (lambda mask: sys.exit(3), "SystemExit"),
    ],
)
def test_a_bot_that_always_fails_stops_the_run_with_its_own_exception(answer, says, tmp_path):
    with pytest.raises(coinche.BotError, match="failed in 3 deals in a row") as caught:
        coinche.run(lambda obs, mask, player: answer(mask), "rules", deals=100, seed=1, out=tmp_path / "run", progress=False)
    assert says in str(caught.value)
    assert isinstance(caught.value.__cause__, (ValueError, TypeError, ZeroDivisionError, SystemExit))


def faults(verdict):
    return [sum(bot["faults"].values()) for bot in verdict.figures["figures"]["by_bot"]]


class Remembering(First):
    """Answers nonsense as soon as its memory holds another hand of a deal, or another leg."""

    remembered = set()
    seats = set()

    def act(self, questions):
        self.seats.update(questions.player.tolist())
        again = [key in self.remembered for key in questions.key.tolist()]
        self.remembered.update(questions.key.tolist())
        # The copy that is asked again, alone, sits at one seat in each deal.
        alone = len(self.seats) == 1 or len(again) == 1
        return np.where(again, 9999, super().act(questions)) if alone else np.full(len(again), 9999)


@needs_fork
def test_no_memory_holds_two_hands_or_two_legs_of_a_deal():
    bots, settings = (Remembering(), Remembering(), "rules"), dict(deals=150, seed=1, progress=False)
    for threads in (1, 2):
        apart = coinche.run(*bots, threads=threads, **settings)
        assert not any(sum(bot["faults"].values()) for it in apart.figures["pairings"] for bot in it["figures"]["by_bot"])
    together = coinche.run(*bots[1:], processes=False, **settings)
    assert faults(together)[0] > 100
    Remembering.seats.clear()


@needs_fork
def test_answers_that_depend_on_more_than_the_question_are_found():
    class Counting(First):
        def act(self, questions):
            self.asked = getattr(self, "asked", 0) + 1
            last = questions.mask.shape[1] - 1 - questions.mask[:, ::-1].argmax(axis=1)
            return np.where(self.asked % 2, super().act(questions), last)

    verdict = coinche.run("rules+python:it", "rules", players={"it": Counting()}, deals=1500, seed=1, progress=False)
    (found, _) = [bot["faults"]["inconsistent"] for bot in verdict.figures["figures"]["by_bot"]]
    assert found > 3 and f"python:it: other answers when asked again, {found} times" in verdict.text
    honest = coinche.run(First(), "rules", deals=1500, seed=1, progress=False)
    assert faults(honest) == [0, 0] and "unseparated" not in honest.figures
    together = coinche.run(First(), "rules", deals=20, seed=1, processes=False, progress=False)
    assert together.figures["unseparated"] == ["python:First"]
    assert "python:First: all seats share a process" in together.text


@on_linux
def test_processes_know_nothing_of_the_run_and_end_with_it(tmp_path):
    told = tmp_path / "told.txt"
    written = open(tmp_path / "open.txt", "w")

    def looks(obs, mask, player):
        writes = [os.readlink(f"/dev/fd/{fd}") for fd in os.listdir("/dev/fd") if os.path.exists(f"/dev/fd/{fd}")]
        frames, frame = [], sys._getframe()
        while frame:
            frames.append(frame.f_code.co_name)
            frame = frame.f_back
        with told.open("a") as out:
            print(json.dumps([os.getpid(), writes, frames]), file=out)
        return mask.argmax(axis=1)

    coinche.run(looks, "rules", deals=60, seed=1, records="full", out=tmp_path / "run", progress=False)
    lines = [json.loads(line) for line in told.read_text().splitlines()]
    pids = {pid for pid, _, _ in lines}
    assert len(pids) >= 4 and os.getpid() not in pids
    for _, files, frames in lines:
        assert not [file for file in files if "open.txt" in file or "/run/" in file], files
        assert "test_processes_know_nothing_of_the_run_and_end_with_it" not in frames
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    written.close()


@needs_fork
def test_a_process_that_ends_loses_its_deals_alone():
    def ends(obs, mask, player, key):
        if (key % np.uint64(300) == 0).any():
            os._exit(3)
        return mask.argmax(axis=1)

    verdict = coinche.run(coinche.keyed(ends), "rules", deals=60, seed=1, progress=False)
    assert 0 < verdict.table[0]["forfeited"] < 30
    with pytest.raises(coinche.BotError, match="its process ended"):
        coinche.run(lambda obs, mask, player: os.kill(os.getpid(), signal.SIGKILL), "rules", deals=60, seed=1, progress=False)


def test_processes_that_are_started_anew(monkeypatch):
    settings = dict(deals=20, seed=7, threads=2, progress=False)
    mine = coinche.run(Random(), "rules", processes="spawn", **settings)
    assert "unseparated" not in mine.figures and np.array_equal(mine.pairs, coinche.run("random", "rules", **settings).pairs)
    assert sum(faults(coinche.run(Remembering(), "rules", processes="spawn", **settings))) == 0
    with pytest.raises(TypeError, match="pickled.*define it in a module"):
        coinche.run(lambda obs, mask, player: mask.argmax(axis=1), "rules", processes="spawn", **settings)
    # What a new process does not find is said by it.
    monkeypatch.setattr(sys.modules[__name__], "Late", type("Late", (First,), {"__module__": __name__}), raising=False)
    with pytest.raises(coinche.BotError, match="Late.*define it in a module"):
        coinche.run(sys.modules[__name__].Late(), "rules", processes="spawn", **settings)
    with pytest.raises(ValueError, match="processes: 'threads', expected True, False"):
        coinche.run(First(), "rules", processes="threads", **settings)


@needs_fork
def test_a_fork_is_refused_once_jax_runs(tmp_path):
    pytest.importorskip("jax")
    (tmp_path / "mine.py").write_text(
        textwrap.dedent(
            """
            import coinche, jax.numpy as jnp, numpy as np

            class Mine:
                def act(self, questions):
                    return np.asarray(jnp.argmax(jnp.asarray(questions.mask), axis=1))

            if __name__ == "__main__":
                settings = dict(deals=2, seed=1, progress=False)
                first = coinche.run(Mine(), "rules", **settings)
                assert jnp.arange(3).sum() == 3
                assert coinche.run(Mine(), "rules", processes="spawn", **settings).text == first.text
                coinche.run(Mine(), "rules", **settings)
            """
        )
    )
    done = subprocess.run([sys.executable, "mine.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.stderr.count("Traceback") == 1 and 'ValueError: processes: bots that use JAX hang' in done.stderr, done.stderr


@needs_fork
def test_an_exception_runs_nothing_in_the_process_of_the_run():
    class Trap(LookupError):
        def __reduce__(self):
            return os.abort, ()

    def traps(obs, mask, player):
        raise Trap("caught")

    with pytest.raises(coinche.BotError, match="Trap: caught") as caught:
        coinche.run(traps, "rules", deals=60, seed=1, progress=False)
    assert type(caught.value.__cause__) is LookupError
    assert "in traps" in str(caught.value.__cause__.__cause__)


def test_forfeit_goes_on():
    def policy(obs, mask, player):
        raise RuntimeError

    verdict = coinche.run(policy, "rules", deals=10, seed=1, forfeit=True, progress=False)
    assert verdict.table[0]["forfeited"] > 15
    assert "forfeit" in verdict.headline


def test_wrong_settings_are_named(tmp_path):
    for wrong, says in (
        (dict(deals=0), "deals: 0 is not in 1 to"),
        (dict(threads=0), "threads"),
        *((dict([(name, bad)]), f"^{name}: .*, expected 0 to 2") for name in ("deals", "threads", "seed", "control_deals") for bad in (-1, 1 << 64)),
        (dict(freeze="solver"), "freeze: expected none, auction"),
        (dict(format="league"), "format: unknown variant"),
        (dict(records="full"), "out="),
        (dict(records="half", out=tmp_path), "records"),
        (dict(seed=1.5), "float"),
        (dict(against="rules"), "crossplay"),
    ):
        with pytest.raises((ValueError, TypeError), match=says):
            coinche.run("rules", "random", progress=False, **{"deals": 10, **wrong})
    for bots, says in (
        (["rules"], "two bots or more"),
        (["rules", "nobody"], "there is no bot `nobody`"),
        ([First, "rules"], r"pass an object, First\(\)"),
        ([3, "rules"], "3 is no bot"),
        (["python:absent", "rules"], "bot in Python"),
    ):
        with pytest.raises((ValueError, TypeError), match=says):
            coinche.run(*bots, deals=10, progress=False)
    with pytest.raises(coinche.RulesError, match="no preset"):
        coinche.run("rules", "random", rules="bgaa")
    with pytest.raises(TypeError, match="no bot in Python"):
        coinche.run("rules", "random", players={"x": coinche.Bot("rules")})
    bot = First()
    bot.obs = "words"
    with pytest.raises(ValueError, match="bits"):
        coinche.run(bot, "rules")
    bot.obs, bot.batch = None, 0
    with pytest.raises(ValueError, match="batch is 1 to 1024"):
        coinche.run(bot, "rules")


def test_progress_is_told_and_may_stop_the_run():
    told = []
    coinche.run(First(), "rules", deals=2000, seed=1, progress=lambda *now: told.append(now))
    done, of, mean, half_width = told[-1]
    assert (done, of) == (2000, 2000) and half_width < abs(mean)
    assert [now[0] for now in told] == sorted(now[0] for now in told)

    def stop(done, of, mean, half_width):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        coinche.run(First(), "rules", deals=50_000, seed=1, progress=stop)


def test_a_run_is_resumed_and_read_by_the_command_line(tmp_path):
    settings = dict(seed=4, records="full", out=tmp_path / "run", progress=False)
    coinche.run(First(), "rules", deals=100, **settings)
    longer = coinche.run(First(), "rules", deals=300, **settings)
    whole = coinche.run(First(), "rules", deals=300, seed=4, progress=False)
    assert np.array_equal(longer.pairs, whole.pairs)
    assert longer.path == tmp_path / "run"
    with pytest.raises(ValueError, match="a run with other settings: bots"):
        coinche.run(First(), "random", deals=300, **settings)
    arena = [sys.executable, "-m", "coinche_arena"]
    verified = subprocess.run(
        [*arena, "verify", str(tmp_path / "run")], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert verified.returncode == 0, verified.stderr
    found = coinche.stats(tmp_path / "run")
    assert set(found["bots"]["bot"]) == {"python:First", "rules"}
    assert found["levels"]["contracts"].dtype == np.int64
    assert len(found["bots"]) == 2
    judged = coinche.judge(tmp_path / "run", sample=0.05, seed=1)
    assert len(judged["decisions"]) > 50 and judged["decisions"]["card_points_lost"].min() >= 0
    with pytest.raises(ValueError, match="arena stats: "):
        coinche.stats(tmp_path / "nothing")


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_ctrl_c_keeps_what_was_played(tmp_path):
    script = tmp_path / "run.py"
    script.write_text(
        textwrap.dedent(
            """
            import sys, time
            import coinche

            def slow(obs, mask, player):
                time.sleep(0.001)
                print("asked", flush=True)
                return mask.argmax(axis=1)

            slow.obs, slow.batch = None, 32
            verdict = coinche.run(slow, "rules", deals=int(sys.argv[1]), seed=1, out=sys.argv[2], progress=False)
            print(verdict.interrupted, verdict.deals)
            """
        )
    )

    def start(deals):
        words = [sys.executable, str(script), str(deals), str(tmp_path / "out")]
        return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    run = start(1_000_000)
    for _ in range(200):
        run.stdout.readline()
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    interrupted, deals = out.split()[-2:]
    assert interrupted == "True" and 0 < int(deals) < 1_000_000, (out[-300:], err)
    assert "the same call goes on with it" in err
    run = start(int(deals) + 10)
    out, err = run.communicate(timeout=60)
    assert out.split()[-2:] == ["False", str(int(deals) + 10)], err


def program(tmp_path, text, *words, options="", named="mine.py"):
    """What `arena run` says of a bot of a file in Python."""
    (tmp_path / "mine.py").write_text(textwrap.dedent(text))
    bot = f"python:{options}interpreter={sys.executable},run={named}"
    command = [ARENA, "run", bot, "rules", "--seed", "7", "--progress", "none", *words]
    return subprocess.run(command, check=False, capture_output=True, text=True, cwd=tmp_path)


RANDOM = "import numpy as np\n\n" + textwrap.dedent(inspect.getsource(Random))


@needs_arena
@pytest.mark.parametrize("rules", ["bga-ja", "belote-melds"])
def test_a_file_of_python_plays_as_a_program(rules, tmp_path):
    # Offers of a coinche, belotes and melds to be announced, cards dealt after the auction: all kinds of questions.
    run = program(tmp_path, RANDOM, "--deals", "40", "--rules", rules, "--records", "full", "--out", "mine", named="mine.py:Random")
    assert run.returncode == 0, run.stderr
    coinche.run("random", "rules", rules=rules, deals=40, seed=7, records="full", out=tmp_path / "built-in", progress=False)
    assert games(tmp_path / "mine") == games(tmp_path / "built-in")


@needs_arena
def test_a_file_of_python_gets_states_and_options(tmp_path):
    text = """
        import coinche

        class Bot:
            obs, states, batch = None, True, 16

            def __init__(self, name="rules", deaf=False, *, n=1):
                self.bot = coinche.Bot("random" if deaf else name)
                assert n == 3

            def act(self, questions):
                assert all(state.known_by == seat for state, seat in zip(questions.states, questions.player))
                print("not for the arena")
                return self.bot.act(questions.states)
    """
    for out, options in [("mine", "name=Mine,n=3,"), ("deaf", "deaf=true,n=3,")]:
        run = program(tmp_path, text, "--deals", "20", "--records", "full", "--out", out, options=options)
        assert run.returncode == 0, run.stderr
    coinche.run("rules", "rules", deals=20, seed=7, records="full", out=tmp_path / "built-in", progress=False)
    assert games(tmp_path / "mine") == games(tmp_path / "built-in") != games(tmp_path / "deaf")
    assert '"Mine"' in (tmp_path / "mine" / "run.json").read_text()


ACT = "class Bot:\n    def act(self, q): return q.mask.argmax(axis=1)\n"


@needs_arena
@pytest.mark.parametrize("text, named, options, parts", [
    ("", "missing.py:Bot", "", ["missing.py: there is no such file", "python:FILE.py:NAME"]),
    ("", "mine.py:Bot", "", ["mine.py has no `Bot`, but no class or function", "python:mine.py:NAME"]),
    ("class Other: pass", "mine.py", "", ["has no `Bot`, but Other"]),
    ("Bot = 3", "mine.py", "", ["expected an object with `act`"]),
    ("\nimport nothing_like_it", "mine.py", "", ["mine.py, line 2: ", "No module named 'nothing_like_it'", sys.executable, "interpreter="]),
    ("\n\nclass Bot(:", "mine.py", "", ["mine.py, line 3: SyntaxError"]),
    ("def three(): return 1 / 0\nthree()", "mine.py", "", ["mine.py, line 1: ZeroDivisionError"]),
    (ACT + "    canonical = True", "mine.py", "", ["suit_order"]),
    (ACT + "    def __init__(self, n): pass", "mine.py", "", ["give `n` a default"]),
    (ACT + "    def __init__(self, n=3): pass", "mine.py", "n=x,", ["n=x: expected a value of the type int, as its default 3"]),
    (ACT + "    def __init__(self, n=True): pass", "mine.py", "n=x,", ["n=x: expected a value true or false"]),
    (ACT.replace("return", "raise KeyError('mine')  #"), "mine.py", "", ["crash", "KeyError: 'mine'", "mine.py\", line 2"]),
    (ACT.replace("return", "return -1 +  0 *"), "mine.py", "", ["illegal"]),
    (ACT.replace("return", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)  #"), "mine.py", "", ["signal 9"]),
])
def test_what_is_wrong_with_a_file_of_python_is_said(text, named, options, parts, tmp_path):
    failed = program(tmp_path, text, "--deals", "1", options=options, named=named)
    said = failed.stderr + failed.stdout
    assert all(part in said for part in parts) and "frozen" not in said, said


@needs_arena
def test_a_python_without_coinche_is_named(tmp_path):
    (tmp_path / "python").symlink_to(os.path.realpath(sys.executable))
    for python, why in [(tmp_path / "python", "No module named"), (tmp_path / "nowhere", "No such file")]:
        bot = f"python:interpreter={python},run=mine.py"
        failed = subprocess.run([ARENA, "run", bot, "rules", "--deals", "1"], check=False, capture_output=True, text=True, cwd=tmp_path)
        assert failed.returncode == 2 and why in failed.stderr, failed.stderr
        assert f"`{python}` needs the package coinche[arena]; interpreter=PYTHON names another Python" in failed.stderr
