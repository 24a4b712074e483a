#include "interpole/base/ranks/started_ranks.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <hwy/targets.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>

#include "interpole/base/ranks/agree.hpp"
#include "interpole/base/ranks/packet.hpp"
#include "interpole/error.hpp"
#include "interpole/version.hpp"

namespace interpole::base {
namespace {

constexpr const char* kLibrary = "libinterpole_mpi.so";
constexpr const char* kJoin = "interpole_join_ranks";

std::optional<int> whole_number(const Environment& environment, const char* name) {
  const auto text = environment(name);
  int value = 0;
  if (!text) return {};
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc{} || end != text->data() + text->size()) return {};
  return value;
}

// Beside the library this is compiled into, or in the folder of what it brings along.
std::string path_of_library() {
  Dl_info here{};
  if (::dladdr(reinterpret_cast<void*>(&path_of_library), &here) == 0) return kLibrary;
  const auto folder = std::filesystem::path(here.dli_fname).parent_path();
  for (const auto& path : {folder / kLibrary, folder / "interpole" / kLibrary}) {
    std::error_code unknown;
    if (std::filesystem::exists(path, unknown)) return path.string();
  }
  return kLibrary;
}

}  // namespace

std::optional<std::string> process_environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) return {};
  return std::string(value);
}

std::optional<StartedRank> started_rank(const Environment& environment) {
  const auto size = whole_number(environment, "OMPI_COMM_WORLD_SIZE");
  const auto rank = whole_number(environment, "OMPI_COMM_WORLD_RANK");
  if (size && rank) return *size > 1 ? std::optional(StartedRank{*rank, *size, "mpirun"}) : std::nullopt;
  // srun says how many there are; whether they can find each other shows by what its MPI plugin adds.
  const auto tasks = whole_number(environment, "SLURM_STEP_NUM_TASKS");
  const auto task = whole_number(environment, "SLURM_PROCID");
  if (!tasks || !task || *tasks < 2) return {};
  const bool connected = environment("PMIX_RANK").has_value() || environment("PMI_RANK").has_value();
  return StartedRank{*task, *tasks, "srun", connected};
}

std::unique_ptr<Ranks> join_ranks(const StartedRank& started) {
  if (!started.connected) {
    throw usage_error(
        fmt::format("srun started {} processes that cannot find each other and would all do the same; let it "
                    "connect them (SLURM_MPI_TYPE=pmix), or start one",
                    started.size));
  }
  const std::string path = path_of_library();
  // Global, because MPI loads parts of its own that look for it.
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    throw runtime_error(
        fmt::format("{} started {} processes, but this program cannot use MPI ({}); build it where MPI is "
                    "installed (INTERPOLE_MPI), or run one process",
                    started.by, started.size, ::dlerror()));
  }
  using Join = Ranks* (*)();
  const auto join = reinterpret_cast<Join>(::dlsym(library, kJoin));
  if (join == nullptr) throw runtime_error(fmt::format("{}: not the library of this program", path));
  return std::unique_ptr<Ranks>(join());
}

void require_alike(Ranks& ranks, const std::string& words) {
  const std::string arithmetic = fmt::format("vector instructions {:x}, C library {}",
                                             hwy::SupportedTargets(), ::gnu_get_libc_version());
  const auto texts = ranks.gather(PacketWriter()
                                      .add(std::string_view(host_name()))
                                      .add(std::string_view(version()))
                                      .add(std::string_view(arithmetic))
                                      .add(std::string_view(words))
                                      .take());
  const auto read = [](PacketReader in) {
    std::vector<std::string> said;
    said.reserve(4);
    for (int i = 0; i < 4; ++i) said.push_back(in.text());
    return said;
  };
  const auto first = read(PacketReader(texts.front()));
  const char* kWhat[] = {"", "the program's version is", "the machine has", "the command is"};
  for (std::size_t r = 1; r < texts.size(); ++r) {
    const auto other = read(PacketReader(texts[r]));
    for (std::size_t i = 1; i < other.size(); ++i) {
      if (other[i] == first[i]) continue;
      throw usage_error(fmt::format(
          "{}: {} {}, but {} on {}; ranks must be alike for results that do not depend on their "
          "number",
          rank_words(static_cast<int>(r), other[0]), kWhat[i], other[i], first[i], rank_words(0, first[0])));
    }
  }
}

}  // namespace interpole::base
