"""The classes, from runs made by hand."""

import unittest

from mutation import classes, compiler, stories, table

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
        self.assertEqual(classes.of_run(run(trace=None), SOUND), classes.UNSEEN)

    def test_a_drawn_world_that_passes_says_nothing(self):
        world = {"exit": 0, "digest": None, "behaviour": None}
        self.assertEqual(classes.of_run(run(0, None, None), world), classes.UNKNOWN)
        self.assertEqual(classes.of_run(run(1, None, None), world), classes.CAUGHT)


class MistakeTests(unittest.TestCase):
    def test_one_catch_is_enough(self):
        self.assertEqual(classes.of_mistake([classes.NO_EFFECT, classes.UNSEEN, classes.CAUGHT], True), classes.CAUGHT)

    def test_what_was_unseen_once_is_not_without_effect(self):
        self.assertEqual(classes.of_mistake([classes.NO_EFFECT, classes.UNSEEN, classes.LOG_ONLY], True), classes.UNSEEN)

    def test_too_little_evidence_weighs_more_than_unseen(self):
        self.assertEqual(classes.of_mistake([classes.UNSEEN, classes.INSUFFICIENT], True), classes.INSUFFICIENT)

    def test_a_passing_world_does_not_hide_what_scenarios_say(self):
        self.assertEqual(classes.of_mistake([classes.NO_EFFECT, classes.UNKNOWN], True), classes.NO_EFFECT)
        self.assertEqual(classes.of_mistake([classes.UNKNOWN], True), classes.UNKNOWN)

    def test_nothing_reaches_it(self):
        self.assertEqual(classes.of_mistake([], False), classes.NOT_REACHED)

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


class FindingTests(unittest.TestCase):
    def test_only_the_kinds_of_findings_are_taken(self):
        output = "1 worlds, 1 with findings, 1 signatures, 7 draws refused\nmissed: not-detected   1 worlds: 2\n  simctl fuzz --seeds 2..2\n"
        self.assertEqual(stories.findings(output), ["finding missed: not-detected"])
        self.assertEqual(stories.findings("1 worlds, 0 with findings, 0 signatures, 3 draws refused\n"), [])


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
