// The chunks of a query, fetched by a thread of its own while the caller works on earlier ones. A few dozen
// are in memory at a time, never the whole. Internal.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

#include "interpole/data/tables/duckdb_connection.hpp"

namespace interpole::data {

class ReadAhead {
 public:
  // Throws as DuckdbQuery does. Nothing else may use the connection until stop().
  ReadAhead(const DuckdbConnection& connection, const std::string& sql, std::string where);
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // The next chunk that has rows, valid until the next call; null at the end. Throws what the fetching threw,
  // after all chunks before it.
  duckdb_data_chunk next();

  // Reads no further. The present chunk stays valid.
  void stop();

 private:
  void fetch_all();

  DuckdbQuery query_;
  OwnedChunk present_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<OwnedChunk> ready_;
  bool finished_ = false;  // nothing will be added to `ready_`
  bool stopped_ = false;
  std::exception_ptr problem_;
  std::thread fetcher_;  // last: it uses everything above
};

}  // namespace interpole::data
