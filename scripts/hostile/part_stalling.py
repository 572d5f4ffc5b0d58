"""Strangers who let the server wait for a GitLab of theirs, for as long as it does."""

from hostile import stranger_crowds, stranger_scene


def check(folder, simctl, notifierd):
    """Forty networks whose GitLab stalls or has lists without an end: over after 50 s, and others register beside them."""
    return stranger_scene.withstand([stranger_crowds.check_many_networks], folder, simctl, notifierd)
