// The tree that one process collected, on its way into that of another: exact, in pieces of a few megabytes,
// so that neither holds much more than the trees themselves.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpole/base/ranks/packet.hpp"
#include "interpole/history_tree.hpp"

namespace interpole::data {

class TreePacket {
 public:
  // The pieces of what a builder holds. They are told apart by their index, and taken in its order.
  static int pieces(const HistoryTreeBuilder& from);
  static std::string piece(const HistoryTreeBuilder& from, int index);

  // Receives all pieces of one builder: afterwards it is as if its records had been added to `to` one by one,
  // behind those that were there. Both builders must share histories and have the same rules.
  explicit TreePacket(HistoryTreeBuilder& to);
  void take(std::string_view piece);

 private:
  void take_head(base::PacketReader& in);
  void take_nodes(base::PacketReader& in);
  void take_cells(base::PacketReader& in);

  void add_decisions(std::span<const std::int64_t> counts,
                     std::span<const HistoryTreeBuilder::ExactPlaces> places,
                     std::span<std::int64_t> to_counts,
                     std::span<HistoryTreeBuilder::ExactPlaces> to_places) const;

  HistoryTreeBuilder& to_;
  std::int64_t records_before_;
  bool has_head_ = false;
  // What the other builder's nodes (told apart by covariates: its roots) and classes are in this one.
  std::map<std::int32_t, std::int32_t> root_of_;
  std::vector<std::int32_t> places_;
  std::vector<std::int32_t> classes_;
};

}  // namespace interpole::data
