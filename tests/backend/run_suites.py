#!/usr/bin/env python3
"""Emits suites in all forms, compiles them as a user would, runs them against systems that behave well and badly, and
compares the verdicts: run_suites.py EMIT_SUITES SOURCE_DIR [ttcn3] [cpp] [json]
"""
import concurrent.futures, glob, json, os, re, shutil, subprocess, sys, tempfile

EMIT, SOURCE = map(os.path.abspath, sys.argv[1:3])
FORMS = sys.argv[3:] or ["ttcn3", "cpp", "json"]
SUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sut.py")
UNIT = "3/20"  # of a second: long enough for a busy machine, short enough for a test
SUITES = ["Regression", "Route", "Challenge", "template", "Long"]
EXPECTED = {  # per mode, in the order above
    "good": ["pass"] * 5,
    "late": ["fail"] * 5,
    "wrong": ["fail"] * 5,
    "silent": ["fail"] * 5,
    "other": ["inconclusive", "pass", "inconclusive", "pass", "pass"],
    "early": ["pass", "fail", "pass", "pass", "pass"],
    "mistyped": ["fail", "fail", "fail", "pass", "pass"],
    "broken": ["inconclusive"] * 5,
}


def run(command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, **more)
    return done.returncode, done.stdout


def must(command, **more):
    code, output = run(command, **more)
    if code != 0:
        sys.exit(f"{' '.join(command)} failed:\n{output[-5000:]}")
    return output


# ---- TTCN-3

def build_ttcn3(folder):
    for file in glob.glob(f"{SOURCE}/stdlib/ttcn3/*"):
        shutil.copy(file, folder)
    sources = sorted(os.path.basename(file) for file in glob.glob(f"{folder}/*.ttcn"))
    environment = {**os.environ, "TTCN3_DIR": "/usr"}
    said = must(["compiler", "-D", *sources], cwd=folder, env=environment)
    ours = [line for line in said.splitlines() if re.search(r"\.ttcn:.*(warning|error)", line)]
    if ours:
        sys.exit("Titan warns:\n" + "\n".join(ours))
    must(["makefilegen", "-s", "-f", "-e", "suites", *sources, "TioPort.hh", "TioPort.cc"], cwd=folder, env=environment)
    must(["make", "-j2", "CXX=ccache g++" if shutil.which("ccache") else "CXX=g++", "CXXFLAGS=-O0",
          "TTCN3_SUBDIR=/titan", "COMPILER_FLAGS=-D"], cwd=folder,
         env=environment)


def run_ttcn3(folder, mode, port):
    config = f"{folder}/{mode}.cfg"
    with open(config, "w", encoding="utf-8") as file:
        file.write(f'[TESTPORT_PARAMETERS]\nsystem.SUT.address := "127.0.0.1:{port}"\n[LOGGING]\n'
                   f'LogFile := "{mode}.log"\nConsoleMask := TTCN_TESTCASE | TTCN_ERROR\n[MODULE_PARAMETERS]\n'
                   f"*.PX_UNIT := {{3, 20}}\n[EXECUTE]\n" +
                   "".join(f"{suite}_Control.control\n" for suite in SUITES))
    _, output = run(["./suites", config], cwd=folder)
    words = {"inconc": "inconclusive"}
    verdicts = [words.get(v, v) for v in re.findall(r"Test case \S+ finished\. Verdict: (\w+)", output)]
    return verdicts, output


# ---- C++

def build_cpp(folder):
    """All in one file: what takes time is GoogleTest, and names of different suites must not clash."""
    flags = ["-std=c++17", "-O0", "-Wall", "-Wextra", "-Werror", f"-I{SOURCE}/stdlib/cpp"]
    ccache = ["ccache"] if shutil.which("ccache") else []
    with open(f"{folder}/all.cpp", "w", encoding="utf-8") as file:
        for name in sorted(glob.glob(f"{folder}/*_test*.cpp")) + [f"{folder}/Regression_main.cpp"]:
            file.write(f'#include "{name}"\n')
    must(["clang++", *flags, "-fsyntax-only", f"{folder}/all.cpp"])
    must([*ccache, "g++", *flags, "-c", f"{folder}/all.cpp", "-o", f"{folder}/all.o"])
    must(["g++", f"{folder}/all.o", "-lgtest", "-lpthread", "-o", f"{folder}/suites"])


def run_cpp(folder, mode, port):
    """Over TCP in real time, and with a child process in virtual time."""
    real = gtest(folder, {"TIOC_SUT": f"tcp:127.0.0.1:{port}", "TIOC_UNIT": UNIT})
    virtual = gtest(folder, {"TIOC_SUT": f"exec:{sys.executable} {SUT} {mode} stdio", "TIOC_TIME": "virtual"})
    return virtual if virtual[0] != EXPECTED[mode] else real


def gtest(folder, variables):
    names = ":".join(f"{suite}.*" for suite in SUITES)
    environment = {**os.environ, **variables}
    _, output = run([f"{folder}/suites", f"--gtest_filter={names}"], env=environment)
    words = {"OK": "pass", "FAILED": "fail", "SKIPPED": "inconclusive"}
    found = {suite: words[word] for word, suite in re.findall(r"\[ +(OK|FAILED|SKIPPED) +\] (\w+)\.\w+ \(", output)}
    return [found.get(suite) for suite in SUITES], output


# ---- JSON

def build_json(folder):
    try:
        import jsonschema
    except ImportError:
        print("python3-jsonschema is missing: the schema is not checked")
        return
    with open(f"{SOURCE}/docs/suite.schema.json", encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    for name in sorted(glob.glob(f"{folder}/*.json")):
        with open(name, encoding="utf-8") as file:
            suite = json.load(file)
        for error in validator.iter_errors(suite):
            sys.exit(f"{name}: {error.json_path}: {error.message}")
        del suite["channels"][0]["direction"]
        if validator.is_valid(suite):
            sys.exit("the schema takes a channel without a direction")


def run_json(folder, _, port):
    verdicts, log = [], ""
    for suite in SUITES:
        _, output = run([sys.executable, f"{SOURCE}/docs/drive_suite.py", f"{folder}/{suite}.json",
                         f"127.0.0.1:{port}", UNIT])
        found = re.findall(r"^\w+: (\w+):", output)
        verdicts.append(found[0] if found else None)
        log += output
    return verdicts, log


# ---- all

BUILD = {"ttcn3": build_ttcn3, "cpp": build_cpp, "json": build_json}
RUN = {"ttcn3": run_ttcn3, "cpp": run_cpp, "json": run_json}


def check(folder, mode):
    sut = subprocess.Popen([sys.executable, SUT, mode], stdout=subprocess.PIPE, text=True)
    problems = []
    try:
        port = sut.stdout.readline().strip()
        for form in FORMS:
            verdicts, output = RUN[form](f"{folder}/{form}", mode, port)
            print(f"{mode:10}{form:7}{verdicts}", flush=True)
            if verdicts != EXPECTED[mode]:
                problems.append(f"{form} against the {mode} system: {verdicts}, not {EXPECTED[mode]}\n{output[-4000:]}")
    finally:
        sut.kill()
        sut.wait()
    return problems


with tempfile.TemporaryDirectory() as folder:
    must([EMIT, folder])
    for form in FORMS:
        BUILD[form](f"{folder}/{form}")
        print(f"built {form}", flush=True)
    with concurrent.futures.ThreadPoolExecutor(len(EXPECTED)) as pool:
        problems = sum(pool.map(lambda mode: check(folder, mode), EXPECTED), [])
    sys.exit("\n\n".join(problems) or 0)
