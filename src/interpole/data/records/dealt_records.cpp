#include "interpole/data/records/dealt_records.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <system_error>

#include "interpole/base/ranks/agree.hpp"
#include "interpole/base/ranks/packet.hpp"
#include "interpole/base/ranks/ranks.hpp"
#include "interpole/data/records/patient_ids.hpp"

namespace interpole::data {
namespace {

// The first or last record of a rank.
struct EdgeRecord {
  std::string patient;
  std::vector<Step> steps;
  std::vector<std::int64_t> numbers;
  std::vector<std::string> texts;

  EdgeRecord() = default;
  explicit EdgeRecord(base::PacketReader& in)
      : patient(in.text()), steps(in.all<Step>()), numbers(in.all<std::int64_t>()) {
    for (auto left = in.get<std::uint64_t>(); left > 0; --left) texts.push_back(in.text());
  }

  void assign(const RecordView& record, std::span<const std::string> noted) {
    patient.assign(record.patient);
    steps.assign(record.steps.begin(), record.steps.end());
    numbers.assign(record.numbers.begin(), record.numbers.end());
    texts.assign(noted.begin(), noted.end());
  }
  void pack(base::PacketWriter& out) const {
    out.add(std::string_view(patient)).add_all(std::span(steps)).add_all(std::span(numbers));
    out.add(static_cast<std::uint64_t>(texts.size()));
    for (const std::string& text : texts) out.add(std::string_view(text));
  }
  // Whether rows of the same patient may go on after this.
  bool may_go_on(const Structure& structure, const EdgeRecord& next) const {
    return !structure.is_terminal(steps.back().action) && numbers.back() < next.numbers.front() &&
           texts == next.texts;
  }
  void go_on(const EdgeRecord& next) {
    steps.insert(steps.end(), next.steps.begin(), next.steps.end());
    numbers.insert(numbers.end(), next.numbers.begin(), next.numbers.end());
  }
  RecordView view() const { return {patient, steps, numbers}; }
};

// What others must know of a rank's records before anything is put together.
struct RankEdges {
  bool failed = false;
  std::vector<EdgeRecord> edges;  // the first and the last record; one if there is but one

  std::string packed(int pieces) const {
    base::PacketWriter out;
    out.add(failed).add(pieces).add(static_cast<std::uint64_t>(edges.size()));
    for (const EdgeRecord& edge : edges) edge.pack(out);
    return out.take();
  }
};

// One after another: what is added before a rank's sums, and after them.
struct Joined {
  std::vector<EdgeRecord> before, after;
};

// False if records of one patient do not go together.
bool join(const Structure& structure, std::vector<RankEdges>& ranks, std::vector<Joined>& joined) {
  EdgeRecord* last = nullptr;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    auto& edges = ranks[rank].edges;
    joined[rank].before.reserve(1);  // `last` points into it
    joined[rank].after.reserve(1);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (i == 0 && last != nullptr && last->patient == edges[i].patient) {
        if (!last->may_go_on(structure, edges[i])) return false;
        last->go_on(edges[i]);
        continue;
      }
      auto& place = i == 0 ? joined[rank].before : joined[rank].after;
      place.push_back(std::move(edges[i]));
      last = &place.back();
    }
  }
  return true;
}

// This rank's records: the first and the last are kept, the others are summed up.
class OwnRecords {
 public:
  explicit OwnRecords(const DealtRecords& deal) : deal_(deal) {}

  void read() {
    try {
      deal_.read([&](const RecordView& record, std::span<const std::string> texts) { meet(record, texts); });
    } catch (const std::exception&) {
      edges_.failed = true;  // whoever reads everything will find it again
    }
  }
  const RankEdges& edges() const { return edges_; }
  // Hashes of the patients whose records are summed up.
  const std::vector<std::uint64_t>& patients() const { return patients_; }

 private:
  void meet(const RecordView& record, std::span<const std::string> texts) {
    auto& edges = edges_.edges;
    if (edges.size() < 2) {
      edges.emplace_back();
    } else {
      deal_.add(edges[1].view(), edges[1].texts);
      patients_.push_back(PatientIds::hash_of(edges[1].patient));
    }
    edges.back().assign(record, texts);
  }

  const DealtRecords& deal_;
  RankEdges edges_;
  std::vector<std::uint64_t> patients_;
};

}  // namespace

bool worth_dealing(std::span<const std::string> parts, const Structure& structure) {
  return base::ranks().size() > 1 && parts.size() > 1 && !structure.measured();
}

std::vector<std::string> own_parts(std::span<const std::string> parts) {
  base::Ranks& all = base::ranks();
  const std::string text = base::from_first([&] {
    std::vector<double> sizes;
    for (const std::string& part : parts) {
      std::error_code problem;
      const auto size = std::filesystem::file_size(part, problem);
      sizes.push_back(problem ? 1.0 : static_cast<double>(size) + 1.0);
    }
    return base::PacketWriter().add(sizes).take();
  });
  const std::vector<double> sizes = base::PacketReader(text).numbers();
  double sum = 0.0;
  for (const double size : sizes) sum += size;
  std::vector<std::string> own;
  double before = 0.0;
  for (std::size_t i = 0; i < parts.size(); before += sizes[i++]) {
    const double middle = (before + 0.5 * sizes[i]) / sum;
    if (std::min(static_cast<int>(middle * all.size()), all.size() - 1) == all.rank())
      own.push_back(parts[i]);
  }
  return own;
}

bool deal_records(const Structure& structure, bool any_own, const DealtRecords& deal) {
  base::Ranks& all = base::ranks();
  OwnRecords own(deal);
  if (any_own) own.read();
  std::vector<RankEdges> edges;
  std::vector<int> pieces;
  for (const std::string& text : all.gather(own.edges().packed(deal.pieces()))) {
    base::PacketReader in(text);
    RankEdges& rank = edges.emplace_back();
    rank.failed = in.get<bool>();
    pieces.push_back(in.get<int>());
    for (auto left = in.get<std::uint64_t>(); left > 0; --left) rank.edges.emplace_back(in);
  }
  std::vector<Joined> joined(edges.size());
  if (std::ranges::any_of(edges, &RankEdges::failed) || !join(structure, edges, joined)) return false;
  PatientIds met;
  const auto add = [&](const std::vector<EdgeRecord>& records) {
    for (const EdgeRecord& record : records) {
      if (met.seen_before(record.patient)) return false;
      deal.add_to_all(record.view(), record.texts);
    }
    return true;
  };
  for (int rank = 0; rank < all.size(); ++rank) {
    const bool mine = rank == all.rank();
    if (!add(joined[rank].before)) return false;
    const auto patients =
        all.gather(mine ? base::PacketWriter().add_all(std::span(own.patients())).take() : "");
    for (const std::uint64_t hash : base::PacketReader(patients[rank]).all<std::uint64_t>()) {
      if (met.hash_seen_before(hash)) return false;
    }
    for (int i = 0; i < pieces[rank]; ++i) deal.take(all.gather(mine ? deal.piece(i) : "")[rank], i);
    if (!add(joined[rank].after)) return false;
  }
  return true;
}

}  // namespace interpole::data
