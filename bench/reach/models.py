#!/usr/bin/env python3
"""Prints a classic timed-automata benchmark with N processes as a .tio model, or in TChecker's language.

usage: models.py NAME N [--tchecker | --targets]

Each model is described once, below, and printed in either language, so that both tools search the same network.
Processes, locations, clocks, constants and synchronisations are those of TChecker's example models.
"""
import argparse
import re
from dataclasses import dataclass, field


@dataclass
class Location:
    name: str
    invariant: str = ""
    committed: bool = False


@dataclass
class Edge:
    source: str
    target: str
    message: str = ""  # `c!`, `c?`, `c!(E)`, `c?(E)`, or nothing for an internal step
    when: str = ""
    do: str = ""  # assignments; none reads what one before it writes, as TChecker runs them in sequence


@dataclass
class Variable:
    name: str
    low: str
    high: str
    init: str
    size: str = ""  # of an array


@dataclass
class Process:
    name: str
    locations: list[Location]  # the first is the initial one
    edges: list[Edge]
    clocks: list[str] = field(default_factory=list)
    variables: list[Variable] = field(default_factory=list)
    parameters: dict[str, str] = field(default_factory=dict)  # values in terms of the index `i`; none: one instance


@dataclass
class Target:
    """A conjunction of `Instance.Location`, and whether a search must find it."""

    places: list[str]
    reachable: bool


@dataclass
class Model:
    name: str
    constants: dict[str, int]
    processes: list[Process]
    targets: list[Target]
    channels: list[str] = field(default_factory=list)  # `c`, or `c(own: int)` if it carries the number of an instance
    shared: list[Variable] = field(default_factory=list)


# The models.


def fischer(n: int) -> Model:
    process = Process(
        "Process",
        [Location("A"), Location("Req", "x <= K"), Location("Wait"), Location("Cs")],
        [
            Edge("A", "Req", when="id == 0", do="x := 0"),
            Edge("Req", "Wait", when="x <= K", do="x := 0, id := own"),
            Edge("Wait", "Req", when="id == 0", do="x := 0"),
            Edge("Wait", "Cs", when="x > K && id == own"),
            Edge("Cs", "A", do="id := 0"),
        ],
        clocks=["x"],
        parameters={"own": "i"},
    )
    return Model(
        "fischer",
        {"N": n, "K": 10},
        [process],
        [Target(["Process_1.Cs", "Process_2.Cs"], False), Target([f"Process_{n}.Cs"], True)],
        shared=[Variable("id", "0", "N", "0")],
    )


def csmacd(n: int) -> Model:
    bus = Process(
        "Bus",
        [Location("Idle"), Location("Active"), Location("Collision", "y < Sigma"), Location("Loop", committed=True)],
        [
            Edge("Idle", "Active", "begin?", do="y := 0"),
            Edge("Active", "Collision", "begin?", "y < Sigma", "y := 0"),
            Edge("Active", "Active", "busy!", "y >= Sigma"),
            Edge("Active", "Idle", "end?", do="y := 0"),
            Edge("Collision", "Loop", when="y < Sigma", do="j := 1"),
            Edge("Loop", "Idle", when="j == N + 1 && y < Sigma", do="y := 0, j := 1"),
            Edge("Loop", "Loop", "cd!(j)", "j <= N", "j := j + 1"),
        ],
        clocks=["y"],
        variables=[Variable("j", "1", "N + 1", "1")],
    )
    station = Process(
        "Station",
        [Location("Wait"), Location("Start", "x <= Lambda"), Location("Retry", "x < 2 * Sigma")],
        [
            Edge("Wait", "Start", "begin!", do="x := 0"),
            Edge("Wait", "Retry", "busy?", do="x := 0"),
            Edge("Wait", "Wait", "cd?(own)", do="x := 0"),
            Edge("Wait", "Retry", "cd?(own)", do="x := 0"),
            Edge("Start", "Wait", "end!", "x == Lambda", "x := 0"),
            Edge("Start", "Retry", "cd?(own)", "x < Sigma", "x := 0"),
            Edge("Retry", "Start", "begin!", "x < 2 * Sigma", "x := 0"),
            Edge("Retry", "Retry", "busy?", "x < 2 * Sigma", "x := 0"),
            Edge("Retry", "Retry", "cd?(own)", "x < 2 * Sigma", "x := 0"),
        ],
        clocks=["x"],
        parameters={"own": "i"},
    )
    return Model(
        "csmacd",
        {"N": n, "Lambda": 808, "Sigma": 26},
        [bus, station],
        [Target(["Station_1.Start", "Station_2.Start", "Bus.Idle"], False), Target(["Bus.Collision"], True)],
        channels=["begin", "busy", "end", "cd(own: int)"],
    )


def fddi(n: int) -> Model:
    def half(q: list[str], after: str, used: str, reset: str) -> tuple[list[Location], list[Edge]]:
        """One rotation: late tokens serve the synchronous traffic only, early ones the asynchronous one too."""
        idle, late, early, more = q
        return [
            Location(idle),
            Location(late, "trt <= Sa"),
            Location(early, "trt <= Sa"),
            Location(more, f"{used} <= Ttrt + Sa"),
        ], [
            Edge(idle, late, "take?(own)", "trt >= Ttrt", f"trt := 0, {reset} := 0"),
            Edge(idle, early, "take?(own)", "trt < Ttrt", f"trt := 0, {reset} := 0"),
            Edge(late, after, "release!(own)", "trt == Sa"),
            Edge(early, more, when="trt == Sa"),
            Edge(more, after, "release!(own)"),
        ]

    first = half(["Q0", "Q1", "Q2", "Q3"], "Q4", "xa", "xb")
    second = half(["Q4", "Q5", "Q6", "Q7"], "Q0", "xb", "xa")
    station = Process(
        "Station",
        first[0] + second[0],
        first[1] + second[1],
        clocks=["trt", "xa", "xb"],
        parameters={"own": "i"},
    )
    ring = Process("Ring", [], [], clocks=["t"])
    for i in range(1, n + 1):
        ring.locations += [Location(f"Q{i}", "t <= Td"), Location(f"R{i}")]
        ring.edges += [
            Edge(f"Q{i}", f"R{i}", f"take!({i})", "t == Td"),
            Edge(f"R{i}", f"Q{i % n + 1}", f"release?({i})", do="t := 0"),
        ]
    return Model(
        "fddi",
        {"N": n, "Ttrt": 50 * n, "Sa": 20, "Td": 0},
        [station, ring],
        [Target(["Station_1.Q3", "Station_2.Q3"], False), Target([f"Station_{n}.Q7"], True)],
        channels=["take(own: int)", "release(own: int)"],
    )


def critical_region(n: int) -> Model:
    counter = Process(
        "Counter",
        [Location("I"), Location("C")],
        [
            Edge("I", "C", when="id == 0", do="id := 1"),
            Edge("C", "C", when="id < N", do="id := id + 1"),
            Edge("C", "C", when="id == N", do="id := 1"),
        ],
    )
    arbiter = Process(
        "Arbiter",
        [Location("Req"), Location("Ack")],
        [
            Edge("Req", "Ack", "enter?(own)", "id == own", "id := 0"),
            Edge("Ack", "Req", "leave?(own)", do="id := own"),
        ],
        parameters={"own": "i"},
    )
    cell = Process(
        "Cell",
        [
            Location("NotReady"),
            Location("Testing", "x <= T"),
            Location("Requesting"),
            Location("Critical", "x <= 2 * T"),
            Location("Testing2", "x <= T"),
            Location("Safe"),
            Location("Error"),
        ],
        [
            Edge("NotReady", "Testing", when="x <= 2 * T", do="x := 0"),
            Edge("Testing", "NotReady", when="x >= T", do="x := 0"),
            Edge("Testing", "Requesting", when="x <= T - 1"),
            Edge("Requesting", "Critical", "enter!(own)", do="x := 0"),
            Edge("Critical", "Error", when="x >= 2 * T"),
            Edge("Critical", "Testing2", "leave!(own)", "x <= T - 1", "x := 0"),
            Edge("Testing2", "Error", when="x >= T"),
            Edge("Testing2", "Safe", when="x <= T - 1"),
        ],
        clocks=["x"],
        parameters={"own": "i"},
    )
    return Model(
        "critical_region",
        {"N": n, "T": 10},
        [counter, arbiter, cell],
        # The counter also moves on from 0, so the region excludes nobody.
        [
            Target(["Cell_1.Critical", "Arbiter_1.Req"], False),
            Target(["Cell_1.Critical", "Cell_2.Critical"], True),
            Target(["Cell_1.Error"], True),
        ],
        channels=["enter(own: int)", "leave(own: int)"],
        shared=[Variable("id", "0", "N", "0")],
    )


def philosophers(n: int) -> Model:
    philosopher = Process(
        "Philosopher",
        [Location("Idle"), Location("Acq", "x <= Timeout"), Location("Eat", "x <= Meal"), Location("Rel", "x <= Slow")],
        [
            Edge("Idle", "Acq", "take!(left)", do="x := 0"),
            Edge("Acq", "Idle", "release!(left)", "x >= Timeout"),
            Edge("Acq", "Eat", "take!(right)", "x <= Timeout", "x := 0"),
            Edge("Eat", "Rel", "release!(right)", "x >= Meal", "x := 0"),
            Edge("Rel", "Idle", "release!(left)"),
        ],
        clocks=["x"],
        parameters={"left": "(i + N - 2) % N + 1", "right": "i"},
    )
    fork = Process(
        "Fork",
        [Location("Free"), Location("Taken")],
        [Edge("Free", "Taken", "take?(own)"), Edge("Taken", "Free", "release?(own)")],
        parameters={"own": "i"},
    )
    return Model(
        "philosophers",
        {"N": n, "Timeout": 3, "Meal": 10, "Slow": 0},
        [philosopher, fork],
        [Target(["Philosopher_1.Eat", "Philosopher_2.Eat"], False), Target([f"Philosopher_{n}.Eat"], True)],
        channels=["take(own: int)", "release(own: int)"],
    )


def train_gate(n: int) -> Model:
    enqueue = "queue[(head + length) % N] := train, length := length + 1"
    gate = Process(
        "Gate",
        [Location("Free"), Location("Occ"), Location("Transient", committed=True)],
        [
            Edge("Free", "Occ", "go!(queue[head])", "length > 0"),
            Edge("Free", "Occ", "appr?(train)", "length == 0", enqueue),
            Edge("Occ", "Transient", "appr?(train)", do=enqueue),
            Edge("Occ", "Free", "leave?(queue[head])", "length > 0", "head := (head + 1) % N, length := length - 1"),
            Edge("Transient", "Occ", "stop!(queue[(head + length - 1) % N])", "length > 0"),
        ],
        variables=[
            Variable("queue", "1", "N", "1", size="N"),
            Variable("head", "0", "N - 1", "0"),
            Variable("length", "0", "N", "0"),
        ],
    )
    train = Process(
        "Train",
        [
            Location("Safe"),
            Location("Appr", "x <= 20"),
            Location("Stop"),
            Location("Start", "x <= 15"),
            Location("Cross", "x <= 5"),
        ],
        [
            Edge("Safe", "Appr", "appr!(own)", do="x := 0"),
            Edge("Appr", "Cross", when="x >= 10", do="x := 0"),
            Edge("Appr", "Stop", "stop?(own)", "x <= 10"),
            Edge("Stop", "Start", "go?(own)", do="x := 0"),
            Edge("Start", "Cross", when="x >= 7", do="x := 0"),
            Edge("Cross", "Safe", "leave!(own)", "x >= 3"),
        ],
        clocks=["x"],
        parameters={"own": "i"},
    )
    return Model(
        "train_gate",
        {"N": n},
        [gate, train],
        [Target(["Train_1.Cross", "Train_2.Cross"], False), Target([f"Train_{n}.Cross"], True)],
        channels=["go(own: int)", "appr(own: int)", "leave(own: int)", "stop(own: int)"],
    )


MODELS = {make.__name__: make for make in (fischer, csmacd, fddi, critical_region, philosophers, train_gate)}

# As .tio. Every edge is lazy: only invariants and committed locations bound time in these models.


def tio_variable(variable: Variable) -> str:
    size, init = (f"[{variable.size}]", f"[{variable.init}; {variable.size}]") if variable.size else ("", variable.init)
    return f"{variable.name}: int[{variable.low}..{variable.high}]{size} = {init}"


def tio_edge(edge: Edge) -> str:
    parts = ["lazy", edge.message or "tau"]
    parts += [f"when {edge.when}"] if edge.when else []
    parts += [f"do {edge.do}"] if edge.do else []
    return " ".join(parts) + f" -> {edge.target};"


def tio_process(process: Process) -> list[str]:
    parameters = ", ".join(f"{name}: int" for name in process.parameters)
    lines = [f"tiosts {process.name}{f'({parameters})' if parameters else ''} {{"]
    if process.variables:
        lines.append(f"  var {', '.join(map(tio_variable, process.variables))};")
    if process.clocks:
        lines.append(f"  clock {', '.join(process.clocks)};")
    lines += [f"  init {process.locations[0].name};", ""]
    for location in process.locations:
        head = f"  {'committed ' if location.committed else ''}state {location.name} "
        head += f"invariant {location.invariant} " if location.invariant else ""
        edges = [tio_edge(edge) for edge in process.edges if edge.source == location.name]
        if len(edges) == 0:
            lines.append(head + "{ }")
        elif len(edges) == 1:
            lines.append(f"{head}{{ {edges[0]} }}")
        else:
            lines += [head + "{"] + [f"    {edge}" for edge in edges] + ["  }"]
    return lines + ["}"]


def tio(model: Model) -> str:
    lines = [f"module {model.name};", ""]
    lines += [f"const {name} = {value};" for name, value in model.constants.items()] + [""]
    lines += [f"var {tio_variable(variable)};" for variable in model.shared]
    lines += [f"internal {', '.join(model.channels)};"] if model.channels else []
    components = []
    for process in model.processes:
        lines += [""] + tio_process(process)
        arguments = ", ".join(process.parameters.values())
        components.append(f"{process.name}({arguments}) for i in 1..N" if arguments else process.name)
    return "\n".join(lines + ["", f"system Network = {' || '.join(components)};"])


# As TChecker's input: processes are instantiated, and a message that carries k is the event of that k.


@dataclass
class Instance:
    name: str
    process: Process
    names: dict[str, str]  # what a name of the model is called in TChecker, or its value

    def text(self, source: str, **bound: int) -> str:
        names = self.names | {name: str(value) for name, value in bound.items()}
        return re.sub(r"[A-Za-z_]\w*", lambda match: names.get(match[0], match[0]), source)

    def events(self, edge: Edge, n: int) -> list[tuple[str, str, str]]:
        """Event, guard and assignments of each step that an edge stands for."""
        when, do = self.text(edge.when), self.text(edge.do)
        if "(" not in edge.message:
            return [(edge.message.rstrip("!?") or "tau", when, do)]
        channel, argument = re.fullmatch(r"(\w+)[!?]\((.*)\)", edge.message).groups()
        value = self.text(argument)
        if value.isdigit():
            return [(channel + value, when, do)]
        numbers = range(1, n + 1)
        if argument.isidentifier() and argument not in self.names:  # a name that takes the value
            return [(f"{channel}{k}", when, self.text(edge.do, **{argument: k})) for k in numbers]
        return [(f"{channel}{k}", " && ".join(filter(None, [when, f"{value} == {k}"])), do) for k in numbers]


def instances(model: Model) -> list[Instance]:
    constants = {name: str(value) for name, value in model.constants.items()}
    result = []
    for process in model.processes:
        for i in range(1, model.constants["N"] + 1) if process.parameters else [None]:
            name = process.name if i is None else f"{process.name}_{i}"
            own = process.clocks + [variable.name for variable in process.variables]
            scope = model.constants | {"i": i}
            values = {key: str(eval(value, {}, scope)) for key, value in process.parameters.items()}
            result.append(Instance(name, process, constants | values | {key: f"{name}_{key}" for key in own}))
    return result


def attributes(**values: str | None) -> str:
    """`None` leaves an attribute out, and empty text is one that has no value."""
    texts = [f"{key}: {value}" for key, value in values.items() if value is not None]
    return f"{{{' : '.join(texts)}}}" if texts else ""


def tchecker_int(variable: Variable, scope: Instance) -> str:
    bounds = [eval(scope.text(text)) for text in (variable.size or "1", variable.low, variable.high, variable.init)]
    return f"int:{':'.join(map(str, bounds))}:{scope.text(variable.name)}"


def tchecker_instance(instance: Instance, model: Model) -> tuple[list[str], dict[str, str]]:
    """The declaration of an instance, and its events with their direction."""
    process, name = instance.process, instance.name
    labels = {place for target in model.targets for place in target.places}
    lines = [f"process:{name}"] + [f"clock:1:{instance.text(clock)}" for clock in process.clocks]
    lines += [tchecker_int(variable, instance) for variable in process.variables]
    for location in process.locations:
        lines.append(
            f"location:{name}:{location.name}"
            + attributes(
                initial="" if location is process.locations[0] else None,
                committed="" if location.committed else None,
                invariant=instance.text(location.invariant) or None,
                labels=f"{name}_{location.name}" if f"{name}.{location.name}" in labels else None,
            )
        )
    events = {}
    for edge in process.edges:
        for event, guard, update in instance.events(edge, model.constants["N"]):
            update = update.replace(" :=", " =").replace(", ", "; ")
            lines.append(
                f"edge:{name}:{edge.source}:{edge.target}:{event}"
                + attributes(provided=guard or None, do=update or None)
            )
            if edge.message:
                events[event] = "!" if "!" in edge.message else "?"
    return lines, events


def tchecker(model: Model) -> str:
    everyone = instances(model)
    declarations, events = [], {}
    for instance in everyone:
        lines, events[instance.name] = tchecker_instance(instance, model)
        declarations += [""] + lines
    names = list(dict.fromkeys(event for own in events.values() for event in own))
    pairs = [
        f"sync:{sender}@{event}:{receiver}@{event}"
        for event in names
        for sender in events
        for receiver in events
        if sender != receiver and events[sender].get(event) == "!" and events[receiver].get(event) == "?"
    ]
    shared = [tchecker_int(variable, everyone[0]) for variable in model.shared]
    head = [f"system:{model.name}_{model.constants['N']}", ""] + [f"event:{event}" for event in ["tau"] + names]
    return "\n".join(head + shared + declarations + [""] + pairs)


def targets(model: Model) -> str:
    """Per target: the verdict, the condition for `tioc explore --reach`, and the labels for `tck-reach -l`."""
    return "\n".join(
        "\t".join(
            [
                "reachable" if target.reachable else "unreachable",
                " && ".join(target.places),
                ",".join(place.replace(".", "_") for place in target.places),
            ]
        )
        for target in model.targets
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=MODELS)
    parser.add_argument("n", type=int, metavar="N", help="how many processes, at least 2")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--tchecker", dest="print", action="store_const", const=tchecker, default=tio)
    form.add_argument("--targets", dest="print", action="store_const", const=targets)
    arguments = parser.parse_args()
    if arguments.n < 2:
        parser.error("N must be at least 2")
    print(arguments.print(MODELS[arguments.name](arguments.n)))


if __name__ == "__main__":
    main()
