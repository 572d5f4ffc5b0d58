"""The generator over a toy: every rule, and what each makes of it."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

from mutation import tree

TOY = tree.HERE / "toy"


class GeneratorTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        tree.WORK.mkdir(parents=True, exist_ok=True)
        cls.generator = tree.build_generator(tree.HERE / "generator", tree.WORK / "generator")

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.folder / "sources").mkdir()
        (self.folder / "target").mkdir()
        # Under another name no build takes the toy for a source.
        shutil.copyfile(TOY / "Toy.swift.txt", self.folder / "sources/Toy.swift")

    def generate(self, refused=""):
        (self.folder / "refused").write_text(refused, encoding="utf-8")
        command = [self.generator, self.folder / "sources", self.folder / "target", self.folder / "refused", "Toy.swift"]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        (self.folder / "catalogue").write_text(output, encoding="utf-8")
        return tree.read_catalogue(self.folder / "catalogue"), (self.folder / "target/Toy.swift").read_text(encoding="utf-8")

    def test_every_mistake_is_the_expected_one(self):
        mutants, written = self.generate()
        listed = [f"{mutant['line']}:{mutant['column']} {mutant['rule']}: {mutant['original']} → {mutant['mutated'] or 'nothing'}"
                  for mutant in mutants]
        self.assertEqual("\n".join(listed) + "\n", (TOY / "Mistakes.txt").read_text(encoding="utf-8"))
        self.assertEqual(written, (TOY / "Written.swift.txt").read_text(encoding="utf-8"))

    def test_every_rule_is_in_the_toy(self):
        mutants, _ = self.generate()
        source = (tree.HERE / "generator/Sources/mutator/Mutant.swift").read_text(encoding="utf-8")
        rules = {line.split('"')[1] for line in source.splitlines() if line.strip().startswith("case ")}
        self.assertEqual({mutant["rule"] for mutant in mutants}, rules)

    def test_the_range_of_a_mistake_holds_its_number(self):
        mutants, written = self.generate()
        data = written.encode()
        for mutant in mutants:
            self.assertIn(f"({mutant['id']}".encode(), data[mutant["start"]:mutant["end"]], mutant["key"])

    def test_a_refused_mistake_is_left_out_and_keys_of_others_stay(self):
        mutants, _ = self.generate()
        fewer, written = self.generate(refused=mutants[4]["key"] + "\n")
        self.assertEqual([mutant["key"] for mutant in fewer], [mutant["key"] for mutant in mutants[:4] + mutants[5:]])
        self.assertEqual([mutant["id"] for mutant in fewer], list(range(1, len(mutants))))
        self.assertNotIn(f"({len(mutants)}", written)

    def test_keys_are_all_different(self):
        mutants, _ = self.generate()
        self.assertEqual(len({mutant["key"] for mutant in mutants}), len(mutants))

    def test_a_line_elsewhere_changes_no_key(self):
        before, _ = self.generate()
        toy = self.folder / "sources/Toy.swift"
        toy.write_text("let added = 1\n" + toy.read_text(encoding="utf-8"), encoding="utf-8")
        after, _ = self.generate()
        self.assertEqual([mutant["key"] for mutant in before], [mutant["key"] for mutant in after[1:]])


if __name__ == "__main__":
    unittest.main()
