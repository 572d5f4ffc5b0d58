"""Hostile surroundings for `notifierd`, one part a file; run by scripts/check-hostile."""
