#!/usr/bin/env python3
"""A system under test that behaves as told, for all suites of these tests: sut.py MODE [stdio]

Speaks tio/1 over TCP in real time and prints the port it listens on; with stdio, in virtual time over its standard
input and output. MODE: good, late, wrong, silent, other (allowed, but
not what the test is after), early, mistyped, broken (no JSON).
"""
import json, socket, sys, threading
from fractions import Fraction


def answers(mode, channel, args):
    """What follows an input: (delay in units, output, arguments) each."""
    late = 14 if mode == "late" else 0
    wrong = 1 if mode == "wrong" else 0
    if mode == "silent":
        return []
    if channel == "Withdrawal":
        if mode == "other":
            return [(1, "InsufficientFunds", args)]
        if mode == "mistyped":
            return [(1, "DispenseCash", [str(args[0]) + "x"])]
        return [(1 + late, "DispenseCash", [args[0] + wrong])]
    if channel == "Go":
        route, speed, cost = args[0], args[1], "-2/3"
        first = 1 if mode == "early" else 4
        left = 17 if mode == "mistyped" else 1
        return [(first + late, "Step", [route[0], left]), (first + late + 4, "Step", [route[1], 0]),
                (first + late + 6, "Arrived", ["Slow" if wrong else speed, cost])]
    if channel == "Hello":
        return [(1 + late, "Ask", [12345678901, "many" if mode == "mistyped" else 3])]
    if channel == "Response":
        if mode == "other":
            return [(1, "Denied", [])]
        return [(1 + late, "Granted", [str(int(args[0]) - 7 + wrong)])]
    if channel == "Ping":
        n = args[0]
        last = [(0.2, "Skip", [])] if n == 39 else []
        return [(0.5 + late, "Skip", []) if n % 5 == 4 else (0.5 + late, "Pong", [n + (wrong if n == 17 else 0)])] + last
    if channel == "testcase":
        return [(1 + late, "größe", [args[0][:1] if wrong else args[0], args[1]])]
    raise ValueError(channel)


def serve(connection, mode):
    lock = threading.Lock()
    open_timers = []

    def say(text):
        with lock:
            try:
                connection.sendall(text.encode() + b"\n")
            except OSError:
                pass

    unit = 1.0
    for line in connection.makefile(encoding="utf-8"):
        message = json.loads(line)
        if "start" in message:
            top, _, bottom = message["unit"].partition("/")
            unit = float(top) / float(bottom or 1)
            say('{"ready":"tio/1"}')
        elif mode == "broken":
            say("oops")
        else:
            for delay, output, args in answers(mode, message["input"], message["args"]):
                text = json.dumps({"output": output, "args": args}, ensure_ascii=output != "größe")
                timer = threading.Timer(delay * unit, say, [text])
                timer.daemon = True
                timer.start()
                open_timers.append(timer)
    for timer in open_timers:
        timer.cancel()


def play(mode):
    """Virtual time: outputs wait on an agenda until the tester lets time pass."""
    now, agenda = Fraction(0), []

    def say(line):
        print(json.dumps(line), flush=True)

    for line in sys.stdin:
        message = json.loads(line)
        if "start" in message:
            say({"ready": "tio/1"})
        elif "advance" in message:
            now += Fraction(message["advance"])
            due = [one for one in agenda if one[0] <= now]
            if due:
                now = due[0][0]
                say({"output": due[0][1], "args": due[0][2], "at": str(now)})
                agenda.remove(due[0])
            say({"now": str(now)})
        elif mode == "broken":
            print("oops", flush=True)
        else:
            agenda += [(now + Fraction(str(delay)), *rest) for delay, *rest in answers(mode, message["input"], message["args"])]
            agenda.sort(key=lambda one: one[0])


def main():
    if sys.argv[2:] == ["stdio"]:
        return play(sys.argv[1])
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    while True:
        connection, _ = listener.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=serve, args=[connection, sys.argv[1]], daemon=True).start()


main()
