#include "interpole/data/records/tree_packet.hpp"

#include <algorithm>

namespace interpole::data {
namespace {

constexpr std::size_t kNodesInAPiece = std::size_t{1} << 15;

template <class Value>
std::span<const Value> part_of(const std::vector<Value>& values, std::size_t begin, std::size_t end,
                               std::size_t each = 1) {
  return std::span(values).subspan(begin * each, (end - begin) * each);
}

int pieces_for(std::size_t count) {
  return static_cast<int>((count + kNodesInAPiece - 1) / kNodesInAPiece);
}

}  // namespace

int TreePacket::pieces(const HistoryTreeBuilder& from) {
  return 1 + pieces_for(from.parent_.size()) + pieces_for(from.classes_.node.size());
}

std::string TreePacket::piece(const HistoryTreeBuilder& from, int index) {
  base::PacketWriter out;
  if (index == 0) {
    out.add(from.records_).add(from.decisions_).add(from.in_order_).add(from.states_);
    out.add(static_cast<std::uint64_t>(from.root_of_.size()));
    for (const auto& [key, root] : from.root_of_) out.add_all(std::span(key)).add(root);
    out.add(from.classes_.covariate_count).add(from.classes_.covariates);
    return out.take();
  }
  const auto A = static_cast<std::size_t>(from.action_count_);
  const int nodes = pieces_for(from.parent_.size());
  const std::size_t begin =
      static_cast<std::size_t>(index - 1 - (index > nodes ? nodes : 0)) * kNodesInAPiece;
  if (index <= nodes) {
    const std::size_t end = std::min(begin + kNodesInAPiece, from.parent_.size());
    out.add(true);
    out.add_all(part_of(from.parent_, begin, end)).add_all(part_of(from.step_, begin, end));
    out.add_all(part_of(from.passes_, begin, end)).add_all(part_of(from.first_record_, begin, end));
    out.add_all(part_of(from.action_counts_, begin, end, A)).add_all(part_of(from.places_, begin, end, A));
    // As far as any were recorded.
    const auto S = static_cast<std::size_t>(from.states_);
    const std::size_t known = S == 0 ? 0 : from.diagnosis_counts_.size() / S;
    out.add_all(part_of(from.diagnosis_counts_, std::min(begin, known), std::min(end, known), S));
    return out.take();
  }
  out.add(false);
  const HistoryTree::Classes& classes = from.classes_;
  const std::size_t end = std::min(begin + kNodesInAPiece, classes.node.size());
  out.add_all(part_of(classes.node, begin, end)).add_all(part_of(classes.record_class, begin, end));
  out.add_all(part_of(classes.action_counts, begin, end, A))
      .add_all(part_of(from.cell_places_, begin, end, A));
  return out.take();
}

TreePacket::TreePacket(HistoryTreeBuilder& to) : to_(to), records_before_(to.records_) {}

void TreePacket::take(std::string_view piece) {
  base::PacketReader in(piece);
  if (!has_head_) {
    take_head(in);
    has_head_ = true;
  } else if (in.get<bool>()) {
    take_nodes(in);
  } else {
    take_cells(in);
  }
}

void TreePacket::take_head(base::PacketReader& in) {
  to_.records_ += in.get<std::int64_t>();
  to_.decisions_ += in.get<std::int64_t>();
  to_.in_order_ &= in.get<bool>();
  to_.states_ = std::max(to_.states_, in.get<int>());
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    const auto key = in.all<std::uint64_t>();
    root_of_.emplace(in.get<std::int32_t>(), to_.root_for(key));
  }
  const auto count = static_cast<std::size_t>(in.get<int>());
  const std::vector<double> covariates = in.numbers();
  for (std::size_t begin = 0; begin < covariates.size(); begin += count)
    classes_.push_back(to_.class_for(std::span(covariates).subspan(begin, count)));
}

void TreePacket::take_nodes(base::PacketReader& in) {
  const auto parents = in.all<std::int32_t>();
  const auto steps = in.all<Step>();
  const auto passes = in.all<std::int64_t>();
  const auto first_records = in.all<std::int64_t>();
  const auto counts = in.all<std::int64_t>();
  const auto places = in.all<HistoryTreeBuilder::ExactPlaces>();
  const auto diagnoses = in.all<std::int64_t>();
  const auto A = static_cast<std::size_t>(to_.action_count_);
  const auto S = static_cast<std::size_t>(to_.states_);
  for (std::size_t i = 0; i < parents.size(); ++i) {
    const std::int64_t first = records_before_ + first_records[i];
    const auto root = root_of_.find(static_cast<std::int32_t>(places_.size()));
    const std::int32_t node = parents[i] >= 0          ? to_.child_of(places_[parents[i]], steps[i], first)
                              : root != root_of_.end() ? root->second
                                                       : 0;
    places_.push_back(node);
    if (passes[i] == 0) continue;  // the root of no record
    // What nobody has passed was made a moment ago.
    if (to_.passes_[node] == 0) to_.first_record_[node] = first;
    to_.first_record_[node] = std::min(to_.first_record_[node], first);
    to_.passes_[node] += passes[i];
    add_decisions({counts.data() + i * A, A}, {places.data() + i * A, A},
                  {to_.action_counts_.data() + node * A, A}, {to_.places_.data() + node * A, A});
    if ((i + 1) * S > diagnoses.size()) continue;
    to_.diagnosis_counts_.resize(to_.parent_.size() * S, 0);
    for (std::size_t s = 0; s < S; ++s) to_.diagnosis_counts_[node * S + s] += diagnoses[i * S + s];
  }
}

void TreePacket::take_cells(base::PacketReader& in) {
  const auto nodes = in.all<std::int32_t>();
  const auto classes = in.all<std::int32_t>();
  const auto counts = in.all<std::int64_t>();
  const auto places = in.all<HistoryTreeBuilder::ExactPlaces>();
  const auto A = static_cast<std::size_t>(to_.action_count_);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::size_t cell = to_.cell_at(places_[nodes[i]], classes_[classes[i]]);
    add_decisions({counts.data() + i * A, A}, {places.data() + i * A, A},
                  {to_.classes_.action_counts.data() + cell * A, A}, {to_.cell_places_.data() + cell * A, A});
  }
}

void TreePacket::add_decisions(std::span<const std::int64_t> counts,
                               std::span<const HistoryTreeBuilder::ExactPlaces> places,
                               std::span<std::int64_t> to_counts,
                               std::span<HistoryTreeBuilder::ExactPlaces> to_places) const {
  for (std::size_t a = 0; a < counts.size(); ++a) {
    to_counts[a] += counts[a];
    to_places[a].add(places[a], static_cast<std::uint64_t>(counts[a]),
                     static_cast<std::uint64_t>(records_before_));
  }
}

}  // namespace interpole::data
