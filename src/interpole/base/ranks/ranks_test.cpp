#include "interpole/base/ranks/ranks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "interpole/base/ranks/agree.hpp"
#include "interpole/base/ranks/packet.hpp"
#include "interpole/base/ranks/started_ranks.hpp"
#include "interpole/base/ranks/thread_ranks_testing.hpp"
#include "interpole/error.hpp"

namespace interpole::base {
namespace {

TEST(Ranks, OnOneProcessGatheringGivesBackWhatWasPutIn) {
  EXPECT_EQ(ranks().size(), 1);
  EXPECT_TRUE(is_first_rank());
  EXPECT_EQ(ranks().gather("mine"), std::vector<std::string>{"mine"});
  EXPECT_EQ(ranks().traffic().calls, 0);
  std::vector<double> numbers = {7.0, 1.5};
  ranks().gather_numbers(numbers, std::vector<int>{2});
  EXPECT_EQ(numbers, (std::vector<double>{7.0, 1.5}));
}

TEST(Ranks, GatherBytesInTheOrderOfRanks) {
  run_as_ranks(3, [](Ranks& all) {
    const std::string mine(all.rank(), 'x');
    EXPECT_EQ(all.gather(mine), (std::vector<std::string>{"", "x", "xx"}));
    EXPECT_EQ(all.traffic().calls, 1);
    EXPECT_EQ(all.traffic().bytes_sent, 1 + all.rank());
    EXPECT_EQ(all.traffic().bytes_received, 6);
    EXPECT_EQ(is_first_rank(), all.rank() == 0);
  });
}

TEST(Ranks, GatherNumbersOfDifferentLengths) {
  run_as_ranks(3, [](Ranks& all) {
    const std::vector<int> counts = {2, 1, 3};
    std::vector<double> numbers(6, -1.0);
    if (all.rank() == 0) numbers[1] = 0.5;
    if (all.rank() == 2) numbers[4] = 1e300, numbers[5] = -0.0;
    all.gather_numbers(numbers, counts);
    EXPECT_EQ(numbers[1], 0.5);
    EXPECT_EQ(numbers[4], 1e300);
    EXPECT_TRUE(std::signbit(numbers[5]));
    EXPECT_FALSE(all.stop_agreed());
  });
}

TEST(Ranks, AgreeOnAStopAtTheNextGathering) {
  run_as_ranks(2, [](Ranks& all) {
    const bool asked = all.rank() == 1;
    all.listen([asked] { return asked; });
    EXPECT_FALSE(stop_for_all(asked));
    {
      const RankScope scope(dealt());
      EXPECT_EQ(stop_for_all(asked), asked);
    }
    all.gather("");
    EXPECT_TRUE(stop_for_all(asked));
  });
}

TEST(Ranks, AStopTravelsWithNumbersToo) {
  run_as_ranks(2, [](Ranks& all) {
    all.listen([&all] { return all.rank() == 0; });
    std::vector<double> numbers(4);
    all.gather_numbers(numbers, std::vector<int>{2, 2});
    EXPECT_TRUE(all.stop_agreed());
  });
}

TEST(Ranks, TheFirstOnesAnswerIsEverybodys) {
  run_as_ranks(3, [](Ranks& all) {
    EXPECT_EQ(from_first([&] { return std::string(all.first() ? "its answer" : "another"); }), "its answer");
    try {
      from_first([]() -> std::string { throw input_error("file: not there"); });
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()), "file: not there");
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
    }
  });
}

TEST(Ranks, AFailureOnOneIsEverybodysAndSaysWhere) {
  run_as_ranks(3, [](Ranks& all) {
    agree([] {});
    try {
      agree([&] {
        if (all.rank() == 2) throw input_error("visits.csv: not there");
      });
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()),
                "rank 2 on " + host_name() + ", but not everywhere: visits.csv: not there");
    }
  });
}

TEST(Ranks, AFailureOfAllIsEachOnesOwn) {
  run_as_ranks(2, [](Ranks&) {
    try {
      agree([] { throw usage_error("wrong"); });
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()), "wrong");
    }
  });
}

TEST(Ranks, PartOnlyIfAllCome) {
  run_as_ranks(2, [](Ranks& all) {
    if (all.rank() == 1) return;
    EXPECT_FALSE(all.part("gone", 0.05));
  });
  run_as_ranks(2, [](Ranks& all) {
    const auto said = all.part(std::to_string(all.rank()), 60.0);
    ASSERT_TRUE(said);
    EXPECT_EQ(*said, (std::vector<std::string>{"0", "1"}));
  });
}

TEST(Ranks, MustBeGivenTheSameCommand) {
  run_as_ranks(2, [](Ranks& all) {
    EXPECT_NO_THROW(require_alike(all, "fit"));
    try {
      require_alike(all, all.first() ? "fit --seed 1" : "fit --seed 2");
      FAIL();
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("the command is fit --seed 2, but fit --seed 1"),
                std::string::npos)
          << error.what();
    }
  });
}

Environment environment_of(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const char* name) -> std::optional<std::string> {
    const auto found = values.find(name);
    if (found == values.end()) return {};
    return found->second;
  };
}

TEST(StartedRank, IsToldFromTheEnvironment) {
  EXPECT_FALSE(started_rank(environment_of({})));
  EXPECT_FALSE(started_rank(environment_of({{"OMPI_COMM_WORLD_SIZE", "1"}, {"OMPI_COMM_WORLD_RANK", "0"}})));
  const auto by_mpirun =
      started_rank(environment_of({{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_RANK", "3"}}));
  ASSERT_TRUE(by_mpirun);
  EXPECT_EQ(by_mpirun->rank, 3);
  EXPECT_EQ(by_mpirun->size, 4);
  EXPECT_TRUE(by_mpirun->connected);
  // A batch script has a number of tasks, but is one process.
  EXPECT_FALSE(started_rank(environment_of({{"SLURM_NTASKS", "4"}, {"SLURM_PROCID", "0"}})));
  const auto by_srun = started_rank(
      environment_of({{"SLURM_STEP_NUM_TASKS", "2"}, {"SLURM_PROCID", "1"}, {"PMIX_RANK", "1"}}));
  ASSERT_TRUE(by_srun);
  EXPECT_EQ(by_srun->rank, 1);
  EXPECT_TRUE(by_srun->connected);
}

TEST(StartedRank, RefusesProcessesThatCannotFindEachOther) {
  const auto lost = started_rank(environment_of({{"SLURM_STEP_NUM_TASKS", "2"}, {"SLURM_PROCID", "1"}}));
  ASSERT_TRUE(lost);
  try {
    join_ranks(*lost);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_NE(std::string(error.what()).find("SLURM_MPI_TYPE=pmix"), std::string::npos);
  }
}

TEST(Packet, GivesBackTheSameBits) {
  const std::vector<double> numbers = {0.1, -0.0, 5e-324};
  const std::string bytes =
      PacketWriter().add(7).add(std::string_view("a\0b", 3)).add(std::span(numbers)).add(1e-3).take();
  PacketReader in(bytes);
  EXPECT_EQ(in.get<int>(), 7);
  EXPECT_EQ(in.text(), std::string("a\0b", 3));
  EXPECT_EQ(in.numbers(), numbers);
  EXPECT_EQ(in.get<double>(), 1e-3);
  EXPECT_TRUE(in.ended());
  EXPECT_THROW(in.get<int>(), Error);
}

}  // namespace
}  // namespace interpole::base
