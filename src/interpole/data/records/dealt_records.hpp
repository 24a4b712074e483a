// The parts of a visits table read by several ranks, each some neighbouring ones, and what they made of the
// records put together by all: the same, to the last bit, as if one had read everything (base/ranks).
//
// A record may begin in the last file of one rank and go on in the first of the next. So the first and the
// last record of each rank are passed round, joined where they are one, and added by everybody. What cannot
// be right is not judged here: the caller then reads everything as one process does, which stops at the first
// row that is wrong and says what it has always said.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpole/data/records/visits.hpp"

namespace interpole::data {

// A record, and texts that belong to all its rows.
using NotedVisitor = std::function<void(const RecordView& record, std::span<const std::string> texts)>;

// True if the calling thread has several ranks and there are parts for them. Outcomes as measured and gaps of
// time are numbered in the order in which they are met, so these are read by every rank for itself.
bool worth_dealing(std::span<const std::string> parts, const Structure& structure);

// Those that are this rank's: neighbours, of about as many bytes as the others'. All ranks ask together.
std::vector<std::string> own_parts(std::span<const std::string> parts);

struct DealtRecords {
  // Every record of the own parts, in order. Not called where there are none.
  std::function<void(const NotedVisitor& visit)> read;
  // Sums up an own record.
  NotedVisitor add;
  // These sums, in pieces.
  std::function<int()> pieces;
  std::function<std::string(int index)> piece;
  // On all ranks, in the order of the records: a record, and the pieces of a rank's sums.
  NotedVisitor add_to_all;
  std::function<void(std::string_view piece, int index)> take;
};

// False, on all ranks, if there is something that one process must look at.
bool deal_records(const Structure& structure, bool any_own, const DealtRecords& deal);

}  // namespace interpole::data
