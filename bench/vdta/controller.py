#!/usr/bin/env python3
"""Writes a controller of a production line as a VDTA of any size, for measuring test generation.

    controller.py [--locations 60] [--inputs 20] [--outputs 20] [--clocks 8] > line.tio

Stations follow each other. Each waits for its sensor, works for a time that its own clock measures, and gives up when
the sensor goes away; every fifth station may be skipped, and the last one leads back to the first.
"""

import argparse


def declare(kind, count, flag, number, first, last):
    """Every other signal is a number."""
    names = [f"{flag}{i}: bool" if i % 2 == 0 else f"{number}{i}: int[{first}..{last}]" for i in range(count)]
    return f"  {kind} {', '.join(names)};\n"


def holds(i, wanted):
    """A condition on input `i` and its opposite."""
    if i % 2 == 0:
        return f"sensor{i}" if wanted else f"!sensor{i}"
    return f"level{i} >= 50" if wanted else f"level{i} < 50"


def effect(i, station, outputs):
    """Stations that share an output set it to different values, so that each can be seen."""
    turn = station // outputs
    return f"drive{i} := {'true' if turn % 2 == 0 else 'false'}" if i % 2 == 0 else f"speed{i} := {(station + 3 * turn) % 9 + 1}"


def controller(locations, inputs, outputs, clocks):
    text = "module line;\ntimescale 1 s;\n\nvdta Line {\n"
    text += declare("input", inputs, "sensor", "level", 0, 100)
    text += declare("output", outputs, "drive", "speed", 0, 9)
    text += "  clock " + ", ".join(f"c{i}" for i in range(clocks)) + ";\n"
    start = [holds(i, False) if i % 2 == 0 else f"level{i} == 0" for i in range(inputs)]
    start += [f"!drive{i}" if i % 2 == 0 else f"speed{i} == 0" for i in range(outputs)]
    text += "  init S0 when " + " && ".join(start) + ";\n"
    for s in range(locations):
        sensor, other, clock, behind = s % inputs, (s + 7) % inputs, f"c{s % clocks}", f"c{(s + 1) % clocks}"
        drive, next_ = s % outputs, (s + 1) % locations
        text += f"  state S{s} {{\n"
        text += (f"    when {holds(sensor, True)} && {clock} >= {5 + s % 7} "
                 f"do {effect(drive, s, outputs)}, {behind} := 0 -> S{next_};\n")
        text += (f"    when {holds(sensor, False)} && {clock} >= {20 + s % 5} && {holds(other, True)} "
                 f"do {effect((drive + 3) % outputs, s + 1, outputs)}, {clock} := 0 -> S{max(0, s - 1)};\n")
        if s % 5 == 0:
            text += (f"    when {holds(sensor, False)} && {holds(other, False)} && {holds((s + 3) % inputs, True)} "
                     f"do {effect((drive + 5) % outputs, s + 2, outputs)}, {behind} := 0 -> S{(s + 2) % locations};\n")
        text += "  }\n"
    return text + "}\n\nsuite Covering for Line {\n  cover edges;\n}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, value in (("locations", 60), ("inputs", 20), ("outputs", 20), ("clocks", 8)):
        parser.add_argument("--" + name, type=int, default=value)
    options = parser.parse_args()
    print(controller(options.locations, options.inputs, options.outputs, options.clocks), end="")


if __name__ == "__main__":
    main()
