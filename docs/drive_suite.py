#!/usr/bin/env python3
"""Runs a JSON suite against a system that speaks tio/1 over TCP: drive_suite.py SUITE.json HOST:PORT [UNIT [TOLERANCE]]

UNIT: seconds that a time unit takes, TOLERANCE: in time units; both instead of the suite's. A line per test: its name,
the verdict and the reason. The exit code is 0 if all pass, 10 if one fails, 11 if one is inconclusive and none fails.
All there is to know about the file is in suite.md; this program uses nothing else.
"""
import json, socket, sys, time
from fractions import Fraction
from operator import add, mul

REDUCE = {"add": add, "mul": mul, "and": lambda a, b: a and b, "or": lambda a, b: a or b}
APPLY = {"not": lambda a: not a, "equal": lambda a, b: a == b, "less": lambda a, b: a < b, "lesseq": lambda a, b: a <= b,
         "negate": lambda a: -a, "toreal": lambda a: a, "floor": lambda a: Fraction(a // 1),
         "div": lambda a, b: a / b, "rem": lambda a, b: a % abs(b), "quotient": lambda a, b: (a - a % abs(b)) / b,
         "array": lambda *parts: list(parts)}

def value(expr, variables, message=()):
    """The value of an expression tree. Numbers are Fractions, records dictionaries, literals texts."""
    op = expr["op"]
    if op in ("int", "real"): return Fraction(expr["value"])
    if op in ("bool", "literal"): return expr["value"]
    if op == "variable": return variables[expr["name"]]
    if op == "message": return message[expr["index"]]
    args = expr["args"]
    if op == "ite": return value(args[1 if value(args[0], variables, message) else 2], variables, message)
    args = [value(arg, variables, message) for arg in args]
    if op in REDUCE:
        result = args[0]
        for arg in args[1:]: result = REDUCE[op](result, arg)
        return result
    if op == "record": return dict(zip(FIELDS[expr["type"]["name"]], args))
    if op == "field": return args[0][expr["name"]]
    if op == "setfield": return {**args[0], expr["name"]: args[1]}
    if op in ("element", "setelement"):
        index = int(args[1])
        if not 0 <= index < len(args[0]): raise IndexError
        return args[0][index] if op == "element" else args[0][:index] + [args[2]] + args[0][index + 1:]
    return APPLY[op](*args)

def decode(kind, wire):
    """A value of a type from the wire; ValueError if it is none."""
    kind = {"kind": kind} if isinstance(kind, str) else kind
    what = kind["kind"]
    if what == "bool" and isinstance(wire, bool): return wire
    if what in ("int", "real") and isinstance(wire, (int, str, Fraction)) and not isinstance(wire, bool):
        number = Fraction(wire)
        inside = "first" not in kind or Fraction(kind["first"]) <= number <= Fraction(kind["last"])
        if inside and (what == "real" or number.denominator == 1): return number
    if what == "enum" and wire in LITERALS[kind["name"]]: return wire
    if what == "array" and isinstance(wire, list) and len(wire) == kind["size"]: return [decode(kind["of"], w) for w in wire]
    if what == "record" and isinstance(wire, dict) and set(wire) == set(FIELDS[kind["name"]]):
        return {name: decode(of, wire[name]) for name, of in FIELDS[kind["name"]].items()}
    raise ValueError(wire)

def encode(data):
    if isinstance(data, Fraction): return int(data) if data.denominator == 1 and abs(data) < 2**53 else str(data)
    if isinstance(data, list): return [encode(part) for part in data]
    if isinstance(data, dict): return {name: encode(part) for name, part in data.items()}
    return data

class Sut:
    """One run: a connection, and the time since the system was ready."""
    def __init__(self, address, unit):
        host, port = address.rsplit(":", 1)
        self.socket, self.unit, self.buffer = socket.create_connection((host, int(port)), 10), unit, b""
        self.send({"start": "tio/1", "time": "real", "unit": str(unit)})
        self.zero = time.monotonic_ns() + 10 * 10**9
        if "ready" not in (self.line(0) or {}): raise OSError("the system is not ready")
        self.zero = time.monotonic_ns()
    def now(self): return Fraction(time.monotonic_ns() - self.zero, 10**9) / self.unit
    def send(self, line): self.socket.sendall(json.dumps(line).encode() + b"\n")
    def line(self, until):
        while b"\n" not in self.buffer:
            left = float((until - self.now()) * self.unit)
            self.socket.settimeout(max(left, 1e-6))
            try: received = self.socket.recv(4096)
            except (TimeoutError, BlockingIOError):
                if left <= 0: return None
                continue
            if not received: raise OSError("the system closed the connection")
            self.buffer += received
        line, self.buffer = self.buffer.split(b"\n", 1)
        return json.loads(line, parse_float=Fraction)

def judge(suite, test, sut, tolerance):
    """Walks the tree; the verdict and its reason."""
    channels = {channel["name"]: [p["type"] for p in channel["parameters"]] for channel in suite["channels"]}
    variables = {v["name"]: value(v["initial"]["tree"], {}) for v in test["variables"] if "initial" in v}

    def fits(branch, channel, args, when):
        """The message, if this branch takes it."""
        if channel != branch["channel"] or len(args) != len(channels[channel]): return None
        for end, sign in (("from", 1), ("to", -1)):
            if end in branch:
                slack = sign * (when - value(branch[end]["tree"], variables)) + tolerance
                if slack < 0: return None
        try:
            message = [decode(kind, arg) for kind, arg in zip(channels[channel], args)]
            return message if value(branch["guard"]["tree"], variables, message) else None
        except (ValueError, ZeroDivisionError, IndexError):
            return None

    def hasSlack(amount): variables.update({v["name"]: amount for v in test["variables"] if v.get("slack")})
    hasSlack(tolerance)
    node, waiting, again, doubt, due, sent = test["nodes"][0], None, False, "", Fraction(0), None
    def certainly(branch):
        """Whether the output at hand fits the window, however far off its measured time is."""
        hasSlack(-tolerance)
        sure = fits(branch, *waiting) is not None
        hasSlack(tolerance)
        return sure and all(sign * (waiting[2] - value(branch[end]["tree"], variables)) >= tolerance
                            for end, sign in (("from", 1), ("to", -1)) if end in branch)
    def fail(reason): return ("inconclusive", f"{doubt}; otherwise: {reason}") if doubt else ("fail", reason)

    while node["kind"] != "verdict":
        if node["kind"] == "send":
            if waiting or sut.line(0) is not None: return "inconclusive", f"an output came before {node['channel']} was sent"
            now = sut.now()
            if now > due + tolerance: return "inconclusive", f"the tester was late: {node['channel']} was due at {due}"
            due = sent = now
            args = [encode(value(arg["tree"], variables)) for arg in node["arguments"]]
            sut.send({"input": node["channel"], "args": args, "at": str(now)})
            variables.update({node["stamp"]: now} if "stamp" in node else {})
            node = test["nodes"][node["next"]]
            continue
        until, timeout = value(node["until"]["tree"], variables), test["nodes"][node["timeout"]]
        end = until if timeout["kind"] == "send" else until + tolerance
        if waiting is None:
            line = sut.line(end)
            if line is not None and "output" not in line: return "inconclusive", f"the system says: {line}"
            waiting = line and (line["output"], line.get("args", []), min(sut.now(), end))
        judged = waiting is not None and waiting[2] <= end
        taken = [(b, m) for b in node["branches"] if judged and (m := fits(b, *waiting)) is not None]
        near = judged and waiting[2] >= until - tolerance
        if not judged or (near and not taken and timeout.get("verdict") != "fail"):
            node, due, again = timeout, max(due, until), again or judged
        elif not taken:
            what = f"{waiting[0]}{waiting[1]} at {waiting[2]} was not allowed"
            if sent is not None and waiting[2] <= sent + tolerance: return "inconclusive", f"{what}, but may have crossed an input"
            return fail(f"{what}; allowed: {node['allows']}")
        else:
            sure = next((i for i, (b, _) in enumerate(taken) if certainly(b)), None)
            if (len(taken) > 1 and sure != 0) or again or (near and timeout["kind"] != "verdict"):
                doubt = doubt or f"{waiting[0]} at {waiting[2]} is within the tolerance of two windows"
            (branch, message), again, due = taken[sure or 0], False, waiting[2]
            new = {u["variable"]: value(u["value"]["tree"], variables, message) for u in branch["updates"]}
            variables.update(new, **({branch["stamp"]: waiting[2]} if "stamp" in branch else {}))
            node, waiting = test["nodes"][branch["next"]], None
    return fail(node["reason"]) if node["verdict"] == "fail" else (node["verdict"], node["reason"])

if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file: suite = json.load(file)
    assert suite["schema"] == "tioc-suite/1"
    LITERALS = {one["name"]: one["literals"] for one in suite["enums"]}
    FIELDS = {one["name"]: {f["name"]: f["type"] for f in one["fields"]} for one in suite["records"]}
    unit = Fraction(sys.argv[3] if len(sys.argv) > 3 else suite["secondsPerUnit"])
    tolerance = Fraction(sys.argv[4] if len(sys.argv) > 4 else suite["tolerance"])
    verdicts = set()
    for test in suite["cases"]:
        try: verdict, reason = judge(suite, test, Sut(sys.argv[2], unit), tolerance)
        except (OSError, ValueError, ZeroDivisionError, IndexError) as trouble: verdict, reason = "inconclusive", str(trouble)
        verdicts.add(verdict)
        print(f"{test['name']}: {verdict}: {reason}", flush=True)
    sys.exit(10 if "fail" in verdicts else 11 if "inconclusive" in verdicts else 0)
