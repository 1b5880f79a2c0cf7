#!/usr/bin/env python3
"""Writes a queue of any number of ESTS, for measuring how cost grows with it.

    chain.py [--automata 4] [--live 2] > chain.tio

Every automaton is a cell of four states: it is told to start, works for a time that depends on data, answers or gives
up, and rests. The first `--live` cells are told by the environment and by each other; nobody ever tells the others, so
their locations, and the product of them, are never reached.
"""

import argparse


def cell(i, live):
    heard = "start?(v)" if i == 0 else f"go{i}?(v)"
    guard = "0 <= v && v <= 9" if i == 0 else "v >= 0"
    told = f"go{i + 1}!(kept)" if i + 1 < live else "done!(kept)"
    return f"""ests Cell{i} {{
  var kept: int = 0;
  init Idle;
  state Idle {{ {heard} when {guard} do kept := v takes 1 -> Working; }}
  state Working {{ stop{i}? takes 1 -> Idle; after kept + 5 takes 1 -> Telling; }}
  state Telling {{ {told} takes 2 -> Resting; }}
  state Resting {{ after 3 -> Idle; stop{i}? takes 1 -> Idle; }}
}}
"""


def chain(automata, live):
    live = min(live, automata)
    text = "module chain;\ntimescale 1 ms;\n\ninput start(v: int)"
    text += "".join(f", stop{i}" for i in range(live)) + ";\noutput done(v: int);\n"
    text += "internal " + ", ".join(f"go{i}(v: int)" for i in range(1, automata)) + ";\n"
    if automata > live:
        text += "internal " + ", ".join(f"stop{i}" for i in range(live, automata)) + ";\n"
    text += "\n" + "".join(cell(i, live) for i in range(automata))
    return text + "system Chain = queue(" + ", ".join(f"Cell{i}" for i in range(automata)) + ");\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--automata", type=int, default=4)
    parser.add_argument("--live", type=int, default=2)
    options = parser.parse_args()
    print(chain(options.automata, options.live), end="")


if __name__ == "__main__":
    main()
