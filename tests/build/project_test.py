#!/usr/bin/env python3
"""Installs the compiler, once from the build and once from its Debian package, and builds a project outside the tree with it:
project_test.py BUILD_DIR SOURCE_DIR
"""
import glob, os, re, shutil, subprocess, sys, tempfile
from split import split

BUILD, SOURCE = (os.path.abspath(path) for path in sys.argv[1:3])


def run(*command, code=0, cwd=None):
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=500)
    if (done.returncode == 0) != (code == 0):
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout[-5000:]}")
    return done.stdout


def edit(path, old, new):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if old not in text:
        sys.exit(f"{path} has no '{old}'")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(old, new))


def expect(condition, what):
    if not condition:
        sys.exit(f"not so: {what}")
    print(f"ok: {what}", flush=True)


def try_project(folder, prefix):
    project, build = f"{folder}/project", f"{folder}/project/build"
    shutil.copytree(f"{SOURCE}/examples/cmake_project", project)
    with open(f"{project}/lamp.tio", encoding="utf-8") as file:
        lamp, signals = split(file.read())
    for name, text in (("lamp.tio", lamp), ("signals.tio", signals)):
        with open(f"{project}/{name}", "w", encoding="utf-8") as file:
            file.write(text)
    run("cmake", "-S", project, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Debug")
    run("cmake", "--build", build)
    tested = run("ctest", "--test-dir", build, "--output-on-failure")
    expect(re.search(r"100% tests passed, 0 tests failed out of [1-9]", tested) and "Skipped" not in tested, "the project's tests pass")
    expect(os.path.exists(f"{build}/lamp_suites.dir/ttcn3/Regression_Control.ttcn"), "there is a TTCN-3 suite")

    program, stamp = f"{build}/lamp_tests", f"{build}/lamp_tests.dir/lamp_tests.stamp"
    times = os.stat(program).st_mtime_ns, os.stat(stamp).st_mtime_ns
    run("cmake", "--build", build)
    expect((os.stat(program).st_mtime_ns, os.stat(stamp).st_mtime_ns) == times, "a second build does nothing")
    edit(f"{project}/signals.tio", "module", "// A comment.\nmodule")
    run("cmake", "--build", build)
    expect(os.stat(stamp).st_mtime_ns != times[1], "a changed import is generated from")
    expect(os.stat(program).st_mtime_ns == times[0], "and nothing is compiled when the tests are the same")

    edit(f"{project}/controller.cpp", "next = in(1)", "next = in(4)")
    run("cmake", "--build", build)
    tested = run("ctest", "--test-dir", build, "--output-on-failure", code=1)
    expect("no output came by the deadline" in tested, "a late controller fails, and the reason is shown")


def try_package(folder):
    run("cpack", "-G", "DEB", "-B", folder, "-D", "CPACK_COMPONENTS_ALL=", cwd=BUILD)
    package, = glob.glob(f"{folder}/*.deb")
    depends = run("dpkg-deb", "-f", package, "Depends")
    for library in ("libc6", "libz3", "libantlr4-runtime", "libllvm19"):
        expect(library in depends.lower(), f"the package depends on {library}")
    root = f"{folder}/root"
    run("dpkg-deb", "-x", package, root)
    tioc = f"{root}/usr/bin/tioc"
    expect("ok: 1 automaton" in run(tioc, "check", f"{root}/usr/share/doc/tioc/examples/atm.tio"), "the packaged compiler checks a model")
    run(tioc, "explore", "--eval", "jit", f"{root}/usr/share/doc/tioc/examples/light.tio", "--system", "Light")
    return f"{root}/usr"


with tempfile.TemporaryDirectory() as folder:
    run("cmake", "--install", BUILD, "--prefix", f"{folder}/installed")
    try_project(folder, f"{folder}/installed")
    packaged = try_package(folder)
    run("cmake", "-S", f"{SOURCE}/examples/cmake_project", "-B", f"{folder}/packaged", f"-DCMAKE_PREFIX_PATH={packaged}")
    expect(True, "a project finds the packaged compiler")
