#pragma once

#include "ir/test.hpp"

#include <cstdint>

namespace tioc::test {

/// Builds test cases with few words; the suite is what counts.
class SuiteBuilder {
public:
  explicit SuiteBuilder(std::string name);

  ir::TestSuite suite;

  ir::ExprPool& exprs() { return suite.model.exprs; }
  ir::ChannelId channel(std::string name, ir::Direction direction, std::vector<ir::Member> parameters = {});
  ir::TypeId enumeration(std::string name, std::vector<std::string> literals);
  ir::TypeId record(std::string name, std::vector<ir::Member> fields);

  /// What follows belongs to a new case.
  void begin(std::string name, std::string about = "");
  ir::VariableId variable(std::string name, ir::TypeId type, ir::ExprId initial = {});
  ir::ExprId value(ir::VariableId id);
  /// A place for a node that is filled in later: nodes stand before what follows them.
  ir::TestNodeId reserve();
  void fill(ir::TestNodeId id, ir::TestNode node);
  ir::TestNodeId add(ir::TestNode node);
  ir::TestNodeId verdict(ir::Verdict verdict, std::string reason);
  /// `stamp + units`
  ir::ExprId after(ir::VariableId stamp, ir::Rational units);

private:
  ir::TestCase& test() { return suite.cases.back(); }
};

/// The purpose test of the cash machine: 100 is asked for; cash within 10 passes, a refusal within 2 is inconclusive.
ir::TestSuite atmSuite();

/// Records, arrays, enumerations and reals: a route is sent and must come back in pieces.
ir::TestSuite routeSuite();

/// A challenge that the system chooses decides what the test sends next, and when.
ir::TestSuite challengeSuite();

/// Many steps in a row, and steps that two outputs lead to: more than code can nest.
ir::TestSuite longSuite();

/// Reserved words, letters of all kinds and a very long name, everywhere that a model can name something.
ir::TestSuite namesSuite();

/// Anything that passes `ir::verify`; the same seed gives the same suite.
ir::TestSuite randomSuite(uint64_t seed);

} // namespace tioc::test
