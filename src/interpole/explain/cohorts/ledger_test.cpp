#include "interpole/explain/cohorts/ledger.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/files/temporary_folder.hpp"

namespace interpole::explain {
namespace {

using ::testing::HasSubstr;

class LedgerFile : public ::testing::Test {
 protected:
  Ledger open(const LedgerFacts& flags = {{"model's SHA-256", "m1"}}) const { return {path_, of_, flags}; }

  static PublishedCohort row(const std::string& cohort, bool belated) {
    PublishedCohort published;
    published.cohort = cohort;
    published.patients = true;
    published.flags[0] = belated;
    return published;
  }

  std::string complaint(const LedgerFacts& of, const LedgerFacts& flags) const {
    return base::complaint_of([&] { Ledger(path_, of, flags); });
  }

  base::TemporaryFolder folder_;
  std::string path_ = folder_.file("ledger.json");
  LedgerFacts of_ = {{"data's SHA-256", "d1"}, {"min-cell", "11"}};
};

TEST_F(LedgerFile, RemembersWhatWasShownOverSeveralPublications) {
  EXPECT_TRUE(open().published().empty());
  open().add({row("sex = F", false), row("age > \"7\"", true)});
  PublishedCohort group = row("north", false);
  group.group = true;
  open({}).add({group});
  open().add({row("sex = F", true)});
  EXPECT_EQ(open().published(),
            (std::vector<PublishedCohort>{row("sex = F", true), row("age > \"7\"", true), group}));
}

TEST_F(LedgerFile, IsOfOneDataSetStudyAndSmallestCell) {
  open().add({row("sex = F", true)});
  const LedgerFacts flags = {{"model's SHA-256", "m1"}};
  EXPECT_THAT(
      complaint({{"data's SHA-256", "d2"}, {"min-cell", "11"}}, flags),
      HasSubstr("ledger.json: nothing was published: the ledger is of another data's SHA-256 (\"d1\"; "
                "here \"d2\")"));
  EXPECT_THAT(complaint({{"data's SHA-256", "d1"}, {"min-cell", "5"}}, flags), HasSubstr("another min-cell"));
}

TEST_F(LedgerFile, FlagsAreOfOneModelAndSizesOfNone) {
  open({}).add({row("sex = F", false)});
  open().add({row("sex = F", true)});
  EXPECT_THAT(complaint(of_, {{"model's SHA-256", "m2"}}), HasSubstr("another model's SHA-256"));
  EXPECT_EQ(open({}).published().size(), 1u);
}

TEST_F(LedgerFile, IsNotWrittenOverAnotherPublication) {
  Ledger late = open();
  open().add({row("sex = F", true)});
  EXPECT_THAT(base::complaint_of([&] { late.add({row("sex = M", true)}); }), HasSubstr("run this again"));
}

TEST_F(LedgerFile, RefusesWhatIsNoLedger) {
  const auto refused = [&](const std::string& text) {
    std::ofstream(path_) << text;
    return complaint(of_, {});
  };
  EXPECT_THAT(refused("{"), HasSubstr("ledger.json"));
  EXPECT_THAT(refused(R"({"format": "interpole-model", "version": 1})"),
              HasSubstr("not a ledger of version 1"));
  EXPECT_THAT(
      refused(
          R"({"format": "interpole-ledger", "version": 1, "of": {"data's SHA-256": "d1", "min-cell": "11"},
                          "flags": {}, "published": [{"cohort": "a = 1", "shown": ["everything"]}]})"),
      HasSubstr("published[0].shown[0]: \"everything\" is nothing that a table shows"));
}

}  // namespace
}  // namespace interpole::explain
