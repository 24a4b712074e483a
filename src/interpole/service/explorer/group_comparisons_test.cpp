#include "interpole/service/explorer/group_comparisons.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "interpole/base/files/temporary_folder.hpp"
#include "interpole/base/source_folder_testing.hpp"
#include "interpole/environments/write_visits.hpp"
#include "interpole/error.hpp"
#include "interpole/service/explorer/explorer_data.hpp"

namespace interpole::service {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Json = nlohmann::json;

constexpr char kBiasModel[] = R"({"format": "interpole-model", "version": 1,
  "states": ["healthy", "diseased"], "actions": ["monitor", "declare-healthy", "declare-diseased"],
  "observations": ["negative", "positive"], "initial_belief": [0.5, 0.5],
  "transition": [[[1,0],[0,1]], [[1,0],[0,1]], [[1,0],[0,1]]],
  "observation": [[[0.6,0.4],[0.4,0.6]], null, null],
  "inverse_temperature": 10, "means": [[0.5,0.5],[1.3,-0.3],[-0.3,1.3]],
  "provenance": {"options": {"dynamics": ")";

// Counts the comparisons that were made, and stops one when told to.
class Watcher : public Sink {
 public:
  void warn(const std::string& sentence) override { warnings.push_back(sentence); }
  void progress(const std::string& what, std::int64_t done, std::int64_t total) override {
    if (what == "what differs between groups" && done == total) ++made;
  }
  bool stop_requested() const override { return stop; }

  int made = 0;
  bool stop = false;
  std::vector<std::string> warnings;
};

class LiveGroups : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto studies = base::source_folder() / "studies";
    request_.study = (studies / "two-sites.toml").string();
    request_.data.tables = {{"north", folder_.file("north.csv")}, {"south", folder_.file("south.csv")}};
    environments::write_visits(request_.data.tables[0].second, diag(), {.patients = 20, .seed = 1});
    environments::write_visits(request_.data.tables[1].second, diag(), {.patients = 20, .seed = 2});
    request_.threads = 1;
  }

  // What a page is shown of a model fitted with these dynamics.
  std::vector<Json> shown(const std::string& dynamics) {
    request_.model = folder_.file("model.json");
    std::ofstream(request_.model) << kBiasModel << dynamics << "\"}}}";
    std::vector<Json> documents;
    const auto show = [&](const std::string& json) {
      documents.push_back(Json::parse(json));
      if (stop_when_shown_) sink_.stop = true;
    };
    show_explorer(request_, read_fit(request_.model), comparisons_, show, sink_);
    return documents;
  }

  static std::vector<std::string> notes(const Json& document) {
    return document["groups"]["notes"].get<std::vector<std::string>>();
  }

  base::TemporaryFolder folder_;
  ExplorerRequest request_;
  GroupComparisons comparisons_;
  Watcher sink_;
  bool stop_when_shown_ = false;
};

TEST_F(LiveGroups, AreComparedOnceForEachKindOfDynamics) {
  const auto first = shown("shared");
  ASSERT_THAT(first, SizeIs(1));
  EXPECT_THAT(notes(first[0]), IsEmpty());
  EXPECT_EQ(sink_.made, 1);
  EXPECT_EQ(first[0]["groups"], Json::parse(explorer_json(request_, quiet_sink()))["groups"]);

  const auto again = shown("shared");
  ASSERT_THAT(again, SizeIs(1));
  EXPECT_EQ(again[0], first[0]);
  EXPECT_EQ(sink_.made, 1);

  const auto other = shown("subjective");
  ASSERT_THAT(other, SizeIs(2));
  EXPECT_EQ(sink_.made, 2);
  EXPECT_EQ(other[0]["groups"]["boundaries"], first[0]["groups"]["boundaries"]);
  EXPECT_THAT(notes(other[0]), ElementsAre(HasSubstr("was made with shared dynamics")));
  EXPECT_NE(other[1]["groups"]["boundaries"], first[0]["groups"]["boundaries"]);
  EXPECT_THAT(notes(other[1]), IsEmpty());

  EXPECT_EQ(shown("shared"), first);
  EXPECT_EQ(sink_.made, 2);
}

TEST_F(LiveGroups, AreComparedAnewWhenTheDataHaveChanged) {
  const auto before = shown("shared");
  environments::write_visits(request_.data.tables[1].second, diag(), {.patients = 25, .seed = 3});
  const auto after = shown("shared");
  ASSERT_THAT(after, SizeIs(1)) << "what was found in other data is not shown";
  EXPECT_EQ(sink_.made, 2);
  EXPECT_EQ(after[0]["groups"]["groups"][1]["patients"], 25);
}

TEST_F(LiveGroups, KeepTheOlderComparisonWhenTheNewOneIsStopped) {
  const auto first = shown("shared");
  stop_when_shown_ = true;
  const auto stopped = shown("subjective");
  ASSERT_THAT(stopped, SizeIs(1));
  EXPECT_THAT(notes(stopped[0]), ElementsAre(HasSubstr("was made with shared dynamics")));
  EXPECT_THAT(sink_.warnings, ::testing::Contains(HasSubstr("not been compared with subjective dynamics")));
  EXPECT_THAT([&] { shown("subjective"); }, ::testing::Throws<Error>()) << "stopped before it began";
}

}  // namespace
}  // namespace interpole::service
