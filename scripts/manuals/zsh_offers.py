#!/usr/bin/env python3
"""Prints what zsh offers after a line: zsh_offers.py SCRIPT LINE. zsh completes on a terminal only, so it is given one."""

import os
import pty
import select
import sys
import tempfile
import time

# Whatever is offered is also written to a file. Compadd's own ways to fill arrays pass by unseen.
INNER = """
PS1=; PS2=; unsetopt zle_bracketed_paste 2> /dev/null
autoload -Uz compinit && compinit -u -D
source {script}
compadd() {{
    if [[ ${{@[1,(i)(-|--)]}} == *-[OAD]* ]]; then builtin compadd "$@"; return; fi
    local -a hits
    builtin compadd -A hits "$@"
    builtin compadd "$@"
    local code=$?
    (( ! $#hits )) || print -rl -- $hits >> {offers}
    return code
}}
finish() {{ : > {done}; exit }}
zle -N finish
bindkey '^I' complete-word
bindkey '^X' finish
setopt no_always_last_prompt no_beep
: > {ready}
"""
PATIENCE = 30


def drain(terminal, until):
    end = time.monotonic() + PATIENCE
    while not until():
        if time.monotonic() > end:
            sys.exit("zsh does not answer")
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                os.read(terminal, 65536)
            except OSError:
                return


def main():
    script, line = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        files = {name: f"{folder}/{name}" for name in ("offers", "ready", "done")}
        inner = f"{folder}/inner"
        with open(inner, "w") as file:
            file.write(INNER.format(script=os.path.abspath(script), **files))
        child, terminal = pty.fork()
        if child == 0:
            os.execvpe("zsh", ["zsh", "-f", "-i"], os.environ | {"TERM": "dumb", "ZDOTDIR": folder})
        os.write(terminal, f"source {inner}\n".encode())
        drain(terminal, lambda: os.path.exists(files["ready"]))
        os.write(terminal, line.encode() + b"\t")
        os.write(terminal, b"\x18")
        drain(terminal, lambda: os.path.exists(files["done"]))
        os.close(terminal)
        os.waitpid(child, 0)
        if os.path.exists(files["offers"]):
            with open(files["offers"]) as file:
                print("\n".join(sorted(set(file.read().split("\n")) - {""})))


if __name__ == "__main__":
    main()
