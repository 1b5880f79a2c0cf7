#!/usr/bin/env python3
"""From models to verdicts, as a user does it: end_to_end.py TIOC SOURCE_DIR

Generates a suite from every example in all forms; Titan, GCC and clang must take them without a warning, and the
JSON must follow its schema. Some of the suites are then run by Titan, by GoogleTest and by `tioc run`, over TCP in real
time, against `tioc sim`: the three must give the same verdicts, no fail to the model itself, and one to every mutant.
"""
import concurrent.futures, glob, json, os, re, shutil, subprocess, sys, tempfile
from models import RUNS, SUITES

TIOC, SOURCE = map(os.path.abspath, sys.argv[1:3])
SYSTEMS = {"session": "Sender", "ests_pair": "Net", "window_lift": "WindowLift"}
ATTEMPTS = 4  # a machine that is too busy makes tests inconclusive; each attempt gives them twice the time of the last
FORMS = ("ttcn3", "cpp", "json")


def run(command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600, **more)
    return done.returncode, done.stdout


def must(command, **more):
    code, output = run(command, **more)
    if code != 0:
        sys.exit(f"{' '.join(command)} failed with {code}:\n{output[-5000:]}")
    return output


# ---- compiling

def generate(folder):
    for model, (name, options) in SUITES.items():
        tolerance = RUNS[model][2] if model in RUNS else "0.1"
        must([TIOC, "gen", f"{SOURCE}/examples/{model}.tio", *options, "--tolerance", tolerance, "--emit", "ttcn3,cpp,json", "-o", folder])
        if not os.path.exists(f"{folder}/{name}.json"):
            sys.exit(f"{model}: no suite {name}")
    # Only compiled: names and comments that could break out of the output.
    must([TIOC, "gen", f"{SOURCE}/tests/end_to_end/words.tio", "--purpose", "while", "--cover", "edges", "--emit", "ttcn3,cpp,json", "-o", folder])
    known = {os.path.basename(file)[:-4] for file in glob.glob(f"{SOURCE}/examples/*.tio")
             if re.search(r"^(tiosts|ests|vdta) ", open(file, encoding="utf-8").read(), re.M)}
    if known != set(SUITES):
        sys.exit(f"examples without a suite here: {known ^ set(SUITES)}")


def build_ttcn3(folder):
    folder = f"{folder}/ttcn3"
    sources = sorted(os.path.basename(file) for file in glob.glob(f"{folder}/*.ttcn"))
    environment = {**os.environ, "TTCN3_DIR": "/usr"}
    said = must(["compiler", "-D", *sources], cwd=folder, env=environment)
    ours = [line for line in said.splitlines() if re.search(r"\.ttcn:.*(warning|error)", line)]
    if ours:
        sys.exit("Titan warns:\n" + "\n".join(ours))
    must(["makefilegen", "-s", "-f", "-e", "suites", *sources, "TioPort.hh", "TioPort.cc"], cwd=folder, env=environment)
    must(["make", "-j2", "CXX=ccache g++" if shutil.which("ccache") else "CXX=g++", "CXXFLAGS=-O0", "TTCN3_SUBDIR=/titan",
          "COMPILER_FLAGS=-D"], cwd=folder, env=environment)


def build_cpp(folder):
    """All in one file: what takes time is GoogleTest, and names of different suites must not clash."""
    folder = f"{folder}/cpp"
    flags = ["-std=c++17", "-O0", "-Wall", "-Wextra", "-Werror", f"-I{folder}"]
    with open(f"{folder}/all.cpp", "w", encoding="utf-8") as file:
        for name in sorted(glob.glob(f"{folder}/*_test*.cpp")) + [f"{folder}/AtmTests_main.cpp"]:
            file.write(f'#include "{name}"\n')
    must(["clang++", *flags, "-fsyntax-only", f"{folder}/all.cpp"])
    must(["g++", *flags, f"{folder}/all.cpp", "-lgtest", "-lpthread", "-o", f"{folder}/suites"])


def build_json(folder):
    import jsonschema
    with open(f"{SOURCE}/docs/suite.schema.json", encoding="utf-8") as file:
        validator = jsonschema.Draft7Validator(json.load(file))
    for name in sorted(glob.glob(f"{folder}/*.json")):
        with open(name, encoding="utf-8") as file:
            for error in validator.iter_errors(json.load(file)):
                sys.exit(f"{name}: {error.json_path}: {error.message}")


# ---- running; each gives the verdicts of the cases by their names, and what was said

def run_ttcn3(folder, suite, port, unit, _):
    config = f"{folder}/ttcn3/{suite}_{port}.cfg"
    with open(config, "w", encoding="utf-8") as file:
        file.write(f'[TESTPORT_PARAMETERS]\nsystem.SUT.address := "127.0.0.1:{port}"\n'
                   f'[LOGGING]\nLogFile := "{suite}_{port}.log"\nConsoleMask := TTCN_TESTCASE | TTCN_ERROR\n'
                   f"[MODULE_PARAMETERS]\n{suite}_Params.PX_UNIT := {{{unit[0]}, {unit[1]}}}\n[EXECUTE]\n{suite}_Control.control\n")
    _, output = run(["./suites", config], cwd=f"{folder}/ttcn3")
    words = {"inconc": "inconclusive"}
    found = re.findall(rf"Test case TC_{suite}_(\w+) finished\. Verdict: (\w+)", output)
    return {name: words.get(verdict, verdict) for name, verdict in found}, output


def run_cpp(folder, suite, port, unit, _):
    environment = {**os.environ, "TIOC_SUT": f"tcp:127.0.0.1:{port}", "TIOC_UNIT": f"{unit[0]}/{unit[1]}"}
    _, output = run([f"{folder}/cpp/suites", f"--gtest_filter={suite}.*"], env=environment)
    words = {"OK": "pass", "FAILED": "fail", "SKIPPED": "inconclusive"}
    found = re.findall(rf"\[ +(OK|FAILED|SKIPPED) +\] {suite}\.(\w+)(?:, where .*)? \(", output)
    return {name: words[word] for word, name in found}, output


def run_json(folder, suite, port, unit, seconds):
    _, output = run([TIOC, "run", f"{folder}/{suite}.json", "--sut", f"tcp:127.0.0.1:{port}", "--time-scale",
                     f"{round(seconds * 1000) * unit[1]}/{1000 * unit[0]}"])
    return {name: verdict for verdict, name in re.findall(r"^(pass|fail|inconclusive)  (\w+)", output, re.M)}, output


RUN = {"ttcn3": run_ttcn3, "cpp": run_cpp, "json": run_json}


def verdicts(folder, model, system, how, form, attempt):
    (top, bottom), seconds, _, _ = RUNS[model]
    sut = subprocess.Popen([TIOC, "sim", system, "--tcp", "0", *how], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        port = sut.stdout.readline().strip().rpartition(":")[2]
        return RUN[form](folder, SUITES[model][0], port, (top * 2**attempt, bottom), seconds)
    finally:
        sut.kill()
        sut.wait()


def compare(job):
    """The problems of one system: what the forms say about it, three times the same."""
    folder, model, kind, system, how = job
    for attempt in range(ATTEMPTS):
        found = {form: verdicts(folder, model, system, how, form, attempt) for form in FORMS}
        said = [found[form][0] for form in FORMS]
        with open(f"{folder}/{SUITES[model][0]}.json", encoding="utf-8") as file:
            cases = {case["name"] for case in json.load(file)["cases"]}
        complete = all(set(one) == cases for one in said)
        failed = "fail" in said[0].values()
        if complete and said[0] == said[1] == said[2] and failed == (kind != "model"):
            counts = [list(said[0].values()).count(word) for word in ("pass", "fail", "inconclusive")]
            print(f"{model}: {os.path.basename(system)[:-4]} {' '.join(how)}: {counts} (pass, fail, inconclusive) by all, attempt {attempt + 1}", flush=True)
            return ""
    return f"{model}, {os.path.basename(system)} {' '.join(how)}:\n" + "\n".join(
        f"{form}: {found[form][0]}\n{found[form][1][-3000:]}" for form in FORMS)


def systems(folder):
    for model, (_, _, _, mutants) in RUNS.items():
        path = f"{SOURCE}/examples/{model}.tio"
        with open(path, encoding="utf-8") as file:
            text = file.read()
        system = ["--system", SYSTEMS.get(model, model.capitalize())]
        for policy in ("earliest", "latest"):
            yield folder, model, "model", path, [*system, "--policy", policy]
        for name, changes in mutants.items():
            mutant = text
            for old, new in zip(changes[::2], changes[1::2]):
                if old not in mutant:
                    sys.exit(f"{model}: the mutant {name} changes nothing")
                mutant = mutant.replace(old, new)
            path = f"{folder}/{model}_{name}.tio"
            with open(path, "w", encoding="utf-8") as file:
                file.write(mutant)
            yield folder, model, "mutant", path, [*system, "--policy", "latest"]


with tempfile.TemporaryDirectory() as folder:
    generate(folder)
    build_json(folder)
    build_cpp(folder)
    build_ttcn3(folder)
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        problems = [problem for problem in pool.map(compare, list(systems(folder))) if problem]
    sys.exit("\n\n".join(problems) or 0)
