"""The classes, from runs made by hand."""

import importlib.machinery
import importlib.util
import json
import pathlib
import tempfile
import unittest

from mutation import classes, compiler, stories, table

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "mutate"
loader = importlib.machinery.SourceFileLoader("mutate", str(SCRIPT))
mutate = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutate", loader))
loader.exec_module(mutate)

SOUND = {"exit": 0, "digest": "a", "behaviour": "b"}


def run(exit=0, digest="c", behaviour="d", trace=None):
    return {"exit": exit, "digest": digest, "behaviour": behaviour, "trace": trace}


class RunTests(unittest.TestCase):
    def test_a_verdict_that_fails_catches(self):
        self.assertEqual(classes.of_run(run(1), SOUND), classes.CAUGHT)
        self.assertEqual(classes.of_run(run(3), SOUND), classes.CAUGHT)

    def test_a_run_without_end_is_no_catch(self):
        self.assertEqual(classes.of_run(run(124), SOUND), classes.TIMEOUT)

    def test_too_little_evidence_is_no_catch(self):
        self.assertEqual(classes.of_run(run(2), SOUND), classes.INSUFFICIENT)

    def test_too_little_evidence_as_in_the_sound_run_says_nothing(self):
        sound = SOUND | {"exit": 2}
        self.assertEqual(classes.of_run(run(2, "a", "b"), sound), classes.NO_EFFECT)
        self.assertEqual(classes.of_run(run(2, trace={"log": [1, 0]}), sound), classes.LOG_ONLY)

    def test_no_verdict_is_a_class_of_its_own(self):
        for code in (70, -11, 4):
            self.assertEqual(classes.of_run(run(code), SOUND), classes.BROKE)

    def test_the_same_digest_is_no_effect(self):
        self.assertEqual(classes.of_run(run(0, "a", "b"), SOUND), classes.NO_EFFECT)

    def test_another_order_of_jobs_is_told_from_another_behaviour(self):
        self.assertEqual(classes.of_run(run(0, "c", "b"), SOUND), classes.LOG_ONLY)

    def test_what_differs_decides_between_log_and_world(self):
        self.assertEqual(classes.of_run(run(trace={"log": [1, 0]}), SOUND), classes.LOG_ONLY)
        self.assertEqual(classes.of_run(run(trace={"log": [1, 0], "request.sent": [0, 2]}), SOUND), classes.UNSEEN)

    def test_a_difference_outside_the_reported_trace_is_one(self):
        self.assertEqual(classes.of_run(run(trace={}), SOUND), classes.UNSEEN)

    def test_of_a_drawn_world_that_passes_nobody_knows_what_went_another_way(self):
        self.assertEqual(classes.of_run(run(trace=None), SOUND), classes.UNKNOWN)
        self.assertEqual(classes.of_run(run(0, "a", "b"), SOUND), classes.NO_EFFECT)
        self.assertEqual(classes.of_run(run(1), SOUND), classes.CAUGHT)

    def test_a_run_that_leaves_no_digest_broke_off(self):
        self.assertEqual(classes.of_run(run(0, None, None), SOUND), classes.BROKE)


class MistakeTests(unittest.TestCase):
    def test_one_catch_is_enough(self):
        self.assertEqual(classes.of_mistake([classes.NO_EFFECT, classes.UNSEEN, classes.CAUGHT], True), classes.CAUGHT)

    def test_what_was_unseen_once_is_not_without_effect(self):
        self.assertEqual(classes.of_mistake([classes.NO_EFFECT, classes.UNSEEN, classes.LOG_ONLY], True), classes.UNSEEN)

    def test_too_little_evidence_weighs_more_than_unseen(self):
        self.assertEqual(classes.of_mistake([classes.UNSEEN, classes.INSUFFICIENT], True), classes.INSUFFICIENT)

    def test_a_world_that_went_another_way_is_more_than_no_effect_and_less_than_a_scenario(self):
        self.assertEqual(classes.of_mistake([classes.NO_EFFECT, classes.UNKNOWN], True), classes.UNKNOWN)
        self.assertEqual(classes.of_mistake([classes.UNKNOWN, classes.LOG_ONLY], True), classes.LOG_ONLY)

    def test_nothing_reaches_it(self):
        self.assertEqual(classes.of_mistake([], False), classes.NOT_REACHED)

    def test_what_has_changed_nothing_is_left_and_what_has_gets_every_run(self):
        self.assertTrue(classes.is_left([classes.NO_EFFECT, classes.LOG_ONLY, classes.UNKNOWN], 3))
        self.assertFalse(classes.is_left([classes.NO_EFFECT, classes.NO_EFFECT], 3))
        self.assertFalse(classes.is_left([classes.NO_EFFECT, classes.UNSEEN, classes.LOG_ONLY], 3))
        self.assertFalse(classes.is_left([classes.NO_EFFECT, classes.UNKNOWN, classes.NO_EFFECT], 3))

    def test_every_class_has_a_meaning(self):
        self.assertEqual(set(classes.MEANINGS), set(classes.ALL))


class BlameTests(unittest.TestCase):
    MUTANTS = [
        {"key": "outer", "rule": "call-left-out", "start": 10, "end": 90, "textStart": 10, "textEnd": 10},
        {"key": "inner", "rule": "constant-changed", "start": 20, "end": 40, "textStart": 25, "textEnd": 30},
        {"key": "later", "rule": "condition-negated", "start": 100, "end": 120, "textStart": 105, "textEnd": 110},
    ]

    def blame(self, offset, message="cannot convert", line=(0, 5)):
        return [mutant["key"] for mutant in compiler.blame(self.MUTANTS, offset, *line, message)]

    def test_the_text_that_holds_the_place(self):
        self.assertEqual(self.blame(27), ["inner"])

    def test_the_nearest_that_was_put_round_the_place(self):
        self.assertEqual(self.blame(35), ["inner"])
        self.assertEqual(self.blame(50), ["outer"])

    def test_those_on_the_line(self):
        self.assertEqual(self.blame(95, line=(85, 130)), ["outer", "later"])

    def test_a_missing_result_is_blamed_on_what_was_left_out_before(self):
        self.assertEqual(self.blame(200, "missing return in instance method"), ["outer"])

    def test_anything_else_is_blamed_on_the_nearest(self):
        self.assertEqual(self.blame(200), ["later"])


class WorldTests(unittest.TestCase):
    def test_what_was_found_is_said_and_what_was_not_left_a_digest(self):
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder)
            self.assertEqual(stories.read_world(report), {"digest": None, "behaviour": None, "said": []})
            flaws = [{"kind": "missed", "cause": "not-detected", "detail": "1"}, {"kind": "crash", "cause": "", "detail": ""}]
            line = json.dumps({"seed": 2, "flaws": flaws, "digest": "12", "behaviour": "34"})
            (report / "fuzz-results.jsonl").write_text(line + "\n")
            said = ["finding crash", "finding missed: not-detected"]
            self.assertEqual(stories.read_world(report), {"digest": "12", "behaviour": "34", "said": said})


class OrderTests(unittest.TestCase):
    def test_orders_take_turns_and_nothing_comes_twice(self):
        self.assertEqual(mutate.in_turn([1, 2, 3, 4], [4, 2, 1, 3]), [1, 4, 2, 3])


class TableTests(unittest.TestCase):
    def test_order_of_entries_does_not_matter(self):
        mutants = {key: {"key": key, "rule": "and-or", "file": f"Sources/Notifier/{key}/A.swift", "original": "a | b", "mutated": ""}
                   for key in ("x", "y")}
        entries = [{"key": "x", "class": classes.UNSEEN, "story": "outage", "said": []},
                   {"key": "y", "class": classes.CAUGHT, "story": "outage", "said": ["gate missed = 0", "cause lost"]}]
        written = table.text("Summary.", entries, mutants, {"x": "because"})
        self.assertEqual(written, table.text("Summary.", entries[::-1], mutants, {"x": "because"}))
        self.assertIn("| A.swift: and-or | `a \\| b` → `nothing` | outage | because |", written)
        self.assertIn("| `gate missed` | 1 |", written)


if __name__ == "__main__":
    unittest.main()
