#include "conformance/runs.hpp"
#include "driver/driver.hpp"
#include "runtime/explore/limits.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace tioc::conformance {
namespace {

using test::Outcome;
using test::runTioc;

std::string example(const std::string& name) {
  return test::sourceDir() + "/examples/" + name;
}

/// What reading gives: events, or the line and the complaint.
std::string read(const ir::Model& model, const std::string& text) {
  std::istringstream in(text);
  TraceReader reader(model, in);
  std::string result;
  Event event;
  for (;;)
    switch (reader.next(event)) {
    case TraceReader::Got::Event:
      result += event.time.toString() + " " + showEvent(model, event) + "\n";
      break;
    case TraceReader::Got::Start:
      result += "start\n";
      break;
    case TraceReader::Got::End:
      return result;
    case TraceReader::Got::Bad:
      return result + std::to_string(reader.line()) + ": " + reader.error();
    }
}

TEST(Traces, NotationAndLinesTellTheSame) {
  const ir::Model model = exampleSystem("session.tio", "Sender");
  const std::string lines = read(model, "{\"start\":\"tio/1\",\"time\":\"virtual\"}\n{\"ready\":\"tio/1\"}\n"
                                        "{\"input\":\"connect\",\"at\":\"1\"}\n"
                                        "{\"at\":1.5,\"output\":\"transmit\",\"args\":[{\"seq\":0,\"kind\":\"syn\","
                                        "\"payload\":0}]}\n\n{\"now\":\"1.75\"}\n");
  EXPECT_EQ(lines, "1 connect?\n1.5 transmit!(Pdu(kind: syn, seq: 0, payload: 0))\n1.75 silence\n");
  EXPECT_EQ(read(model, "1 connect?\n 1/2 transmit!(Pdu(kind: syn, seq: 0, payload: 0))\n0.25"),
            "1 silence\n1 connect?\n1.5 silence\n1.5 transmit!(Pdu(kind: syn, seq: 0, payload: 0))\n1.75 silence\n");
}

TEST(Traces, WhatIsWrongIsSaidWithItsLine) {
  const ir::Model model = exampleSystem("atm.tio", "Atm");
  const std::string good = "{\"input\":\"Withdrawal\",\"args\":[5],\"at\":\"2\"}\n";
  const auto complaint = [&](const std::string& text) {
    const std::string result = read(model, good + text);
    return result.substr(result.find('\n') + 1);
  };
  EXPECT_EQ(complaint("{\"output\":\"Nothing\",\"args\":[],\"at\":\"3\"}\n"), "2: there is no output \"Nothing\"");
  EXPECT_EQ(complaint("{\"output\":\"DispenseCash\",\"args\":[\"x\"],\"at\":\"3\"}\n"),
            "2: 'amount' of 'DispenseCash': \"x\" is not an int");
  EXPECT_EQ(complaint("{\"output\":\"DispenseCash\",\"args\":[],\"at\":\"3\"}\n"),
            "2: 'DispenseCash' has 1 arguments, not 0");
  EXPECT_EQ(complaint("\n{\"output\":\"DispenseCash\",\"args\":[5],\"at\":\"1\"}\n"),
            "3: time runs backwards, from 2 to 1");
  EXPECT_EQ(complaint("{\"output\":\"DispenseCash\",\"args\":[5]}\n"), "2: the message has no time: \"at\" is missing");
  EXPECT_NE(complaint("{\"output\":\"Dispense").find("may be cut off"), std::string::npos);
  EXPECT_NE(complaint(std::string(TraceReader::kMostBytes + 5, 'x') + "\n").find("2: the line has more than"),
            std::string::npos);
  EXPECT_EQ(read(model, "1 Withdrawal?x"), "1 silence\n1: 'amount' of 'Withdrawal': 'x' is no value of its type");
  EXPECT_EQ(read(model, "1 Withdrawal?(5, 6)"), "1 silence\n1: 'Withdrawal' has 1 argument, not '(5, 6)'");
  EXPECT_EQ(read(model, "1 Withdrawl?5"), "1 silence\n1: there is no input 'Withdrawl'");
  EXPECT_EQ(read(model, "-1 Withdrawal?5"), "1: the delay -1 runs backwards");
}

TEST(Traces, BadTracesGetAMessageAndTheRestOfTheBatchGoesOn) {
  test::TemporaryFolder folder;
  folder.write("good.txt", "1 Withdrawal?5 1 DispenseCash!5\n");
  folder.write("wrong.txt", "1 Withdrawal?5 1 DispenseCash!6\n");
  folder.write("bad.jsonl", "{\"input\":\"Withdrawal\",\"args\":[5],\"at\":\"1\"}\n{\"output\":\"Nothing\"\n");
  folder.write("two.jsonl",
               "{\"start\":\"tio/1\"}\n{\"input\":\"Withdrawal\",\"args\":[5],\"at\":\"1\"}\n{\"nonsense\":1}\n"
               "{\"start\":\"tio/1\"}\n{\"input\":\"Withdrawal\",\"args\":[5],\"at\":\"1\"}\n{\"now\":\"20\"}\n");
  const std::string dir = folder.path() + "/";
  const Outcome outcome = runTioc({"verdict", example("atm.tio"), dir + "bad.jsonl", dir + "missing", dir + "good.txt",
                                   dir + "two.jsonl", dir + "wrong.txt", "--junit", dir + "report.xml"});
  EXPECT_EQ(outcome.code, driver::kFail);
  EXPECT_NE(outcome.err.find("bad.jsonl:2: error: "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("missing:0: error: cannot be read"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("two.jsonl:3: error: none of start"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out.find("two.jsonl#2:6: nothing came until 20"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("6 traces: 2 FAIL, 1 PASS, 3 unreadable\n"), std::string::npos) << outcome.out;
  EXPECT_NE(test::readFile(dir + "report.xml").find("failures=\"2\" errors=\"3\""), std::string::npos);
  EXPECT_EQ(runTioc({"verdict", example("atm.tio"), dir + "bad.jsonl", dir + "good.txt"}).code, driver::kUsage);
  EXPECT_EQ(runTioc({"verdict", example("atm.tio"), "-"}, "1 Withdrawal?-5").code, driver::kInconclusive);
  EXPECT_EQ(runTioc({"verdict", example("atm.tio"), dir + "good.txt"}).code, driver::kSuccess);
}

/// One customer after the other; each gets the money in 2 and waits 1.
void writeLog(const std::string& path, uint64_t customers) {
  std::ofstream file(path, std::ios::binary);
  file << "{\"input\":\"Withdrawal\",\"args\":[9000000],\"at\":\"0\"}\n"
          "{\"output\":\"InsufficientFunds\",\"args\":[9000000],\"at\":\"0.125\"}\n"
          "{\"output\":\"PrintBalance\",\"args\":[8000000],\"at\":\"0.25\"}\n";
  for (uint64_t i = 0; i < customers; ++i) {
    file << "{\"input\":\"Withdrawal\",\"args\":[9000000],\"at\":\"" << 3 * i + 1 << ".5\"}\n";
    file << "{\"output\":\"InsufficientFunds\",\"args\":[9000000],\"at\":\"" << 3 * i + 2 << ".375\"}\n";
    file << "{\"output\":\"PrintBalance\",\"args\":[8000000],\"at\":\"" << 3 * i + 3 << "\"}\n";
  }
}

TEST(Traces, MemoryDoesNotGrowWithTheLog) {
  test::TemporaryFolder folder;
  const uint64_t customers = std::getenv("TIOC_LONG") ? 3'333'333 : 60'000;
  writeLog(folder.path() + "/short.jsonl", 1000);
  writeLog(folder.path() + "/long.jsonl", customers);
  ASSERT_EQ(runTioc({"verdict", example("atm.tio"), folder.path() + "/short.jsonl"}).code, 0);
  const uint64_t before = explore::residentBytes();
  const Outcome outcome = runTioc({"verdict", example("atm.tio"), folder.path() + "/long.jsonl", "--format", "json"});
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_NE(outcome.out.find("\"events\":" + std::to_string(3 * customers + 3)), std::string::npos) << outcome.out;
  EXPECT_LT(explore::residentBytes(), before + (uint64_t{24} << 20));
}

/// The same where states stay symbolic: the balance is never seen.
TEST(Traces, MemoryOfSymbolicStatesDoesNotGrowWithTheLog) {
  test::TemporaryFolder folder;
  const auto write = [&](const std::string& name, uint64_t customers) {
    std::ofstream file(folder.path() + "/" + name, std::ios::binary);
    for (uint64_t i = 0; i < customers; ++i)
      file << "{\"input\":\"Withdrawal\",\"args\":[" << 1 + i % 7 << "],\"at\":\"" << 3 * i << "." << i % 1000 + 1000
           << "\"}\n{\"output\":\"DispenseCash\",\"args\":[" << 1 + i % 7 << "],\"at\":\"" << 3 * i + 1 << "."
           << i * 7 % 1000 + 1000 << "\"}\n";
  };
  write("short.jsonl", 3000);
  write("long.jsonl", std::getenv("TIOC_LONG") ? 200'000 : 6'000);
  ASSERT_EQ(runTioc({"verdict", example("atm.tio"), folder.path() + "/short.jsonl"}).code, 0);
  const uint64_t before = explore::residentBytes();
  EXPECT_EQ(runTioc({"verdict", example("atm.tio"), folder.path() + "/long.jsonl"}).code, 0);
  EXPECT_LT(explore::residentBytes(), before + (uint64_t{200} << 20));
}

} // namespace
} // namespace tioc::conformance
