"""Strangers on the network who try to harm the server, in ways that take seconds."""

from hostile import stranger_attacks, stranger_crowds, stranger_scene

ATTACKS = [
    stranger_attacks.check_origins, stranger_attacks.check_sizes, stranger_attacks.check_refreshes,
    stranger_attacks.check_pairing, stranger_attacks.check_sign_ins, stranger_attacks.check_names,
    stranger_crowds.check_one_network, stranger_crowds.check_connections, stranger_crowds.check_network,
]


def check(folder, simctl, notifierd):
    """Nine attacks from the network, each with its bound, beside a person whose news and answers come in time."""
    return stranger_scene.withstand(ATTACKS, folder, simctl, notifierd)
