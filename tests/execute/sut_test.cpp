#include "execute/support.hpp"

#include "backend/suite_json.hpp"
#include "runtime/execute/serve.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

namespace tioc::execute {
namespace {

using namespace std::chrono_literals;
using ir::Verdict;
using test::describe;
using test::Outcome;
using test::runTioc;
using test::runVirtually;

std::string example(const std::string& name) {
  return test::sourceDir() + "/examples/" + name;
}

std::string simulator(const std::string& arguments) {
  return std::string("'") + TIOC_PROGRAM + "' sim " + arguments;
}

/// A shell script that greets the tester and then does as it likes.
std::string greeter(const std::string& rest) {
  return R"(read start; echo '{"ready":"tio/1"}'; )" + rest;
}

TEST(Process, AModelInAnotherProcessPasses) {
  const ir::TestSuite suite = test::requestSuite();
  for (const char* policy : {"random", "earliest", "latest"}) {
    ProcessAdapter adapter(simulator("'" + example("spec1.tio") + "' --system Spec1 --policy " + policy));
    for (int i = 0; i < 3; ++i) { // a fresh process each time
      const auto outcome = runVirtually(suite, adapter);
      EXPECT_EQ(outcome.verdict, Verdict::Pass) << describe(suite, outcome);
    }
  }
}

TEST(Process, AWrongModelInAnotherProcessFails) {
  const ir::TestSuite suite = test::requestSuite();
  ProcessAdapter adapter(simulator("'" + example("spec1.tio") + "' --system Impl3 --policy earliest"));
  EXPECT_EQ(runVirtually(suite, adapter).verdict, Verdict::Fail);
}

TEST(Process, BadProcessesAreInconclusiveInBoundedTime) {
  const ir::TestSuite suite = test::requestSuite();
  const auto reason = [&](const std::string& command) {
    ProcessAdapter adapter(command);
    const auto begin = Clock::now();
    const auto outcome = runVirtually(suite, adapter, 400);
    EXPECT_LT(Clock::now() - begin, 20s) << command;
    EXPECT_EQ(outcome.verdict, Verdict::Inconclusive) << command;
    return outcome.reason;
  };
  EXPECT_EQ(reason("/nowhere/at/all 2>/dev/null"), "the system closed the connection");
  EXPECT_EQ(reason("sleep 30"), "the system did not answer within 400 ms");
  EXPECT_EQ(reason("trap '' TERM; while :; do sleep 1; done"), "the system did not answer within 400 ms");
  EXPECT_EQ(reason(greeter("exit 3")), "the system closed the connection");
  EXPECT_EQ(reason(greeter("echo garbage; cat > /dev/null")), "bad line 'garbage': not JSON: trouble at character 1");
  EXPECT_EQ(reason(greeter("yes '{\"output\":\"b\",\"at\":\"1\"}'")),
            "more than 10000 outputs before the system says how late it is");
  EXPECT_EQ(reason(greeter("head -c 3000000 /dev/zero; sleep 30")),
            "the system sent a line of more than 1048576 bytes");
}

TEST(Process, SilentProcessesFailInRealTime) {
  ir::TestSuite suite = test::requestSuite();
  ProcessAdapter adapter(greeter("cat > /dev/null"));
  ExecuteOptions options;
  options.session.unit = ir::Rational(1, 50);
  options.tolerance = 1;
  const auto outcome = execute(suite, suite.cases[0], adapter, options);
  EXPECT_NE(outcome.verdict, Verdict::Pass);
  EXPECT_TRUE(outcome.verdict == Verdict::Fail || outcome.reason.find("the tester was late") != std::string::npos)
      << describe(suite, outcome);
}

/// A machine that others use can only be asked for the outcome that is due most of the time; a conforming system must
/// never fail, whatever the load.
TEST(RealTime, AModelInAnotherProcessNeverFailsAndPasses) {
  const ir::TestSuite suite = test::requestSuite();
  ExecuteOptions options;
  options.session.unit = ir::Rational(1, 20);
  options.tolerance = 3;
  size_t passed = 0;
  for (int i = 0; i < 6; ++i) {
    ProcessAdapter adapter(simulator("'" + example("spec1.tio") + "' --system Spec1 --seed " + std::to_string(i)));
    const auto outcome = execute(suite, suite.cases[0], adapter, options);
    EXPECT_NE(outcome.verdict, Verdict::Fail) << describe(suite, outcome);
    passed += outcome.verdict == Verdict::Pass;
  }
  EXPECT_GT(passed, 0U);
}

TEST(RealTime, ALateModelFails) {
  const ir::TestSuite suite = test::requestSuite();
  ExecuteOptions options;
  options.session.unit = ir::Rational(1, 20);
  options.tolerance = 1;
  size_t failed = 0;
  for (int i = 0; i < 3; ++i) {
    ModelAdapter adapter(
        test::machineOf("module m; input a; output b; tiosts M { clock x; init S; "
                        "state S { a? do x := 0 -> T; } state T { b! when x == 12 -> U; } state U { } }",
                        "M"),
        {});
    const auto outcome = execute(suite, suite.cases[0], adapter, options);
    EXPECT_NE(outcome.verdict, Verdict::Pass) << describe(suite, outcome);
    failed += outcome.verdict == Verdict::Fail;
  }
  EXPECT_GT(failed, 0U);
}

/// Serves so many connections in the background.
class Server {
public:
  explicit Server(const std::string& system, int connections) : machine_(test::exampleMachine("spec1.tio", system)) {
    EXPECT_EQ(listener_.open("127.0.0.1", 0), std::nullopt);
    thread_ = std::thread([this, connections] {
      for (int i = 0; i < connections; ++i) {
        LineStream lines = listener_.accept();
        Player player(*machine_, {});
        serve(lines, player);
      }
    });
  }
  ~Server() { thread_.join(); }
  std::string port() const { return std::to_string(listener_.port()); }

private:
  std::unique_ptr<Machine> machine_;
  Listener listener_;
  std::thread thread_;
};

TEST(Tcp, EveryTestGetsAConnection) {
  const ir::TestSuite suite = test::requestSuite();
  Server server("Spec1", 5);
  TcpAdapter adapter("127.0.0.1", server.port());
  for (int i = 0; i < 5; ++i) {
    const auto outcome = runVirtually(suite, adapter);
    EXPECT_EQ(outcome.verdict, Verdict::Pass) << describe(suite, outcome);
  }
}

TEST(Tcp, SaysWhenNobodyListens) {
  Listener listener;
  ASSERT_EQ(listener.open("127.0.0.1", 0), std::nullopt);
  const std::string port = std::to_string(listener.port() == 1 ? 2 : 1);
  TcpAdapter adapter("127.0.0.1", port);
  const auto outcome = runVirtually(test::requestSuite(), adapter);
  EXPECT_EQ(outcome.verdict, Verdict::Inconclusive);
  EXPECT_NE(outcome.reason.find("cannot be reached"), std::string::npos) << outcome.reason;
}

// ---- the command

class RunCommand : public testing::Test {
protected:
  void SetUp() override {
    ir::TestSuite requests = test::requestSuite();
    folder_.write("exact.json", backend::suiteJson(requests, [](ir::Span) { return std::string(); }));
    requests.tolerance = 2;
    folder_.write("requests.json", backend::suiteJson(requests, [](ir::Span) { return std::string(); }));
    folder_.write("withdrawals.json",
                  backend::suiteJson(test::withdrawalSuite(), [](ir::Span) { return std::string(); }));
  }
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  Outcome run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "run");
    return runTioc(arguments);
  }

  test::TemporaryFolder folder_;
};

TEST_F(RunCommand, ExitCodesTellTheVerdict) {
  const std::string suite = path("requests.json");
  const std::string model = "model:" + example("spec1.tio");
  Outcome pass = run({suite, "--virtual-time", "--sut", model + "#Spec1"});
  EXPECT_EQ(pass.code, 0) << pass.err;
  EXPECT_EQ(pass.out, "pass  Answer\n1 test: 1 pass, 0 fail, 0 inconclusive\n");
  Outcome fail = run({suite, "--virtual-time", "--sut", model + "#Impl4"});
  EXPECT_EQ(fail.code, 10);
  EXPECT_EQ(fail.out, "fail  Answer: no answer within 8\n        1 a?\n1 test: 0 pass, 1 fail, 0 inconclusive\n");
  Outcome inconclusive = run({suite, "--virtual-time", "--sut", "exec:true"});
  EXPECT_EQ(inconclusive.code, 11);
  EXPECT_NE(inconclusive.out.find("closed the connection"), std::string::npos) << inconclusive.out;
}

TEST_F(RunCommand, WrongUseExitsWithTwo) {
  const std::string suite = path("requests.json");
  const std::string sut = "model:" + example("spec1.tio") + "#Spec1";
  const auto says = [&](std::vector<std::string> arguments, const std::string& text) {
    const Outcome outcome = run(std::move(arguments));
    EXPECT_EQ(outcome.code, 2) << text;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  };
  says({suite}, "--sut");
  says({suite, "--virtual-time", "--sut", "ftp:x"}, "exec:COMMAND, tcp:HOST:PORT or model:FILE#System");
  says({suite, "--virtual-time", "--sut", "tcp:host"}, "is no system");
  says({suite, "--virtual-time", "--sut", sut, "--case", "Anwser"}, "did you mean 'Answer'?");
  says({path("exact.json"), "--sut", sut}, "measured times need a tolerance");
  says({suite, "--sut", sut, "--tolerance", "2.5"}, "the suite was made for a tolerance of 2");
  says({suite, "--sut", sut, "--tolerance", "much"}, "--tolerance takes a positive number");
  says({suite, "--sut", sut, "--tolerance", "1", "--time-scale", "0"}, "--time-scale takes a positive number");
  says({path("none.json"), "--sut", sut}, "no such file");
  says({example("spec1.tio"), "--sut", sut}, "spec1.tio");
  says({suite, "--virtual-time", "--sut", "model:" + example("spec1.tio") + "#Spek1"}, "did you mean 'Spec1'?");
  says({suite, "--virtual-time", "--sut", "model:" + example("spec1.tio")}, "choose one with --system");
}

TEST_F(RunCommand, RunsFasterThanTheModel) {
  const auto begin = Clock::now();
  Outcome outcome;
  for (int i = 0; i < 5 && outcome.out.find("1 pass") == std::string::npos; ++i) {
    outcome = run({path("requests.json"), "--time-scale", "50", "--sut",
                   "exec:" + simulator("'" + example("spec1.tio") + "' --system Spec1")});
    EXPECT_NE(outcome.code, 10) << outcome.out;
  }
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_LT(Clock::now() - begin, 20s);
}

TEST_F(RunCommand, JUnitKeepsTheThreeVerdictsApart) {
  const auto report = [&](const std::string& suite, const std::string& sut, const std::string& seed) {
    run({path(suite), "--virtual-time", "--sut", sut, "--seed", seed, "--junit", path("report.xml")});
    return test::readFile(path("report.xml"));
  };
  const std::string pass = report("requests.json", "model:" + example("spec1.tio") + "#Spec1", "0");
  EXPECT_NE(pass.find(R"(tests="1" failures="0" errors="0")"), std::string::npos) << pass;
  EXPECT_EQ(pass.find("<failure"), std::string::npos);
  const std::string fail = report("requests.json", "model:" + example("spec1.tio") + "#Impl4", "0");
  EXPECT_NE(fail.find(R"(failures="1" errors="0")"), std::string::npos) << fail;
  EXPECT_NE(fail.find(R"(<failure type="fail" message="no answer within 8"/>)"), std::string::npos) << fail;
  const std::string broken = report("requests.json", "exec:echo '<\"&'", "0");
  EXPECT_NE(broken.find(R"(failures="0" errors="1")"), std::string::npos) << broken;
  EXPECT_NE(broken.find(R"(<error type="inconclusive" message="bad line '&lt;&quot;&amp;')"), std::string::npos)
      << broken;
}

TEST_F(RunCommand, SimServesTcpAndSaysWhere) {
  // The program prints its port; a shell script tells us and keeps it running for two testers.
  const std::string log = path("port.txt");
  std::thread server([&] {
    const std::string command =
        simulator("'" + example("spec1.tio") + "' --system Spec1 --tcp 0 --connections 2") + " > '" + log + "'";
    EXPECT_EQ(std::system(command.c_str()), 0);
  });
  std::string port;
  for (int i = 0; i < 1000 && port.empty(); ++i) {
    std::this_thread::sleep_for(20ms);
    const std::string text = std::filesystem::exists(log) ? test::readFile(log) : "";
    if (const size_t colon = text.find("listening on 127.0.0.1:"); colon != std::string::npos && text.back() == '\n')
      port = text.substr(colon + 23, text.size() - colon - 24);
  }
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(run({path("requests.json"), "--virtual-time", "--sut", "tcp:127.0.0.1:" + port}).code, 0) << port;
  server.join();
}

} // namespace
} // namespace tioc::execute
