"""Tests that the copy can be made of the tree as it is."""

import unittest

from mutation import tree


class TreeTests(unittest.TestCase):
    def test_what_is_changed_beside_the_notifier_stands_in_the_tree_once(self):
        texts = tree.patched()
        self.assertIn('.target(name: "CMutants"),', texts["Package.swift"])

    def test_a_tree_that_has_changed_is_refused_by_the_place(self):
        patches = tree.PATCHES
        tree.PATCHES = [("Package.swift", "stands nowhere", "")]
        try:
            with self.assertRaisesRegex(tree.Unsound, "Package.swift does not hold 'stands nowhere' once"):
                tree.patched()
        finally:
            tree.PATCHES = patches
