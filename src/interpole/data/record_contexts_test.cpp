#include "interpole/data/record_contexts.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/files/atomic_file.hpp"
#include "interpole/base/files/temporary_folder.hpp"

namespace interpole::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RecordContexts : public ::testing::Test {
 protected:
  DataFiles table(const std::string& rows, const std::string& columns = "site,age") {
    base::write_file_atomically(path_, "patient,step,action,observation," + columns + "\n" + rows);
    return {{{"", path_}}};
  }

  // As a model file has them: sites, and an age; the third covariate is one that no term follows.
  static PolicyTerms terms() {
    PolicyTerms terms;
    terms.covariates = {{"site", {"south", "north"}, 0.0, 1.0}, {"age", {}, 60.0, 10.0}, {"sex", {"f", "m"}}};
    terms.additive = {{TermKind::kGroup, 0, 0, {0.1, -0.1, -0.1, 0.1}},
                      {TermKind::kContext, 1, 0, {0.2, -0.2}}};
    return terms;
  }

  static Study study() {
    return {DecisionProblem::open(Structure::unrestricted({"a", "b"}, {"wait", "test"}, {"low", "high"})),
            {},
            {}};
  }

  std::vector<std::vector<double>> contexts(const DataFiles& files) {
    std::vector<std::vector<double>> found;
    for_each_record_in_context(study(), files, followed_covariates(terms()),
                               [&](const RecordView&, std::span<const double> values) {
                                 found.emplace_back(values.begin(), values.end());
                               });
    return found;
  }

  const base::TemporaryFolder folder_;
  const std::string path_ = folder_.file("visits.csv");
};

MATCHER(IsUnknown, "") {
  return std::isnan(arg);
}

TEST_F(RecordContexts, AreAsThePolicyHasThem) {
  const auto found = contexts(table("a,1,wait,low,north,50\na,2,test,high,north,50\nb,1,wait,,south,70.5\n"));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_THAT(found[0], ElementsAre(1.0, 50.0, IsUnknown()));
  EXPECT_THAT(found[1], ElementsAre(0.0, 70.5, IsUnknown()));
}

TEST_F(RecordContexts, AreNotKnownWhereNothingStandsOrThePolicyHasNotMetIt) {
  const auto found = contexts(table("a,1,wait,low,east,\nb,1,wait,low,,61\n"));
  EXPECT_THAT(found[0], ElementsAre(IsUnknown(), IsUnknown(), IsUnknown()));
  EXPECT_THAT(found[1], ElementsAre(IsUnknown(), 61.0, IsUnknown()));
}

TEST_F(RecordContexts, AreNotKnownWhereThereIsNoSuchColumn) {
  const DataFiles files = table("a,1,wait,low,north\n", "site");
  EXPECT_THAT(contexts(files)[0], ElementsAre(1.0, IsUnknown(), IsUnknown()));
  EXPECT_THAT(absent_covariates(study(), files, followed_covariates(terms())), ElementsAre("age"));
}

TEST_F(RecordContexts, AreNoneIfThePolicyFollowsNone) {
  PolicyTerms none = terms();
  none.additive.clear();
  const auto covariates = followed_covariates(none);
  EXPECT_FALSE(any_followed(covariates));
  const DataFiles files = table("a,1,wait,low,north,50\n");
  for_each_record_in_context(
      study(), files, covariates,
      [&](const RecordView&, std::span<const double> values) { EXPECT_THAT(values, IsEmpty()); });
  EXPECT_EQ(read_tree_in_context(study(), files, covariates, RecordClasses::kApart).root_count, 1);
}

TEST_F(RecordContexts, TellClassesOfRecordsApart) {
  const auto tree = read_tree_in_context(
      study(), table("a,1,wait,low,north,50\nb,1,wait,low,south,50\nc,1,test,low,north,50\n"),
      followed_covariates(terms()), RecordClasses::kApart);
  EXPECT_EQ(tree.root_count, 2);
  EXPECT_EQ(tree.records, 3);
  EXPECT_EQ(tree.passes[tree.root_of(std::vector<double>{1.0, 50.0, NAN})], 2);
}

TEST_F(RecordContexts, RefuseTextForANumberAndTwoValuesOfOneRecord) {
  EXPECT_THAT(
      base::complaint_of([&] { contexts(table("a,1,wait,low,north,old\n")); }),
      AllOf(HasSubstr("visits.csv"), HasSubstr("\"age\""), HasSubstr("\"old\""), HasSubstr("number")));
  EXPECT_THAT(base::complaint_of([&] { contexts(table("a,1,wait,low,north,50\na,2,wait,low,south,50\n")); }),
              AllOf(HasSubstr("visits.csv"), HasSubstr("\"north\""), HasSubstr("\"south\"")));
}

}  // namespace
}  // namespace interpole::data
