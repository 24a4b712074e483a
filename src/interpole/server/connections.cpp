#include "interpole/server/connections.hpp"

#include <utility>
#include <vector>

namespace interpole::server {

bool Connections::add(const std::shared_ptr<Connection>& connection) {
  // Connections remove themselves when the last reference goes, so references taken here go after the lock.
  std::vector<std::shared_ptr<Connection>> held;
  const std::scoped_lock lock(mutex_);
  if (entries_.size() >= most_) {
    std::pair<Connection*, Entry*> chosen = {nullptr, nullptr};
    for (auto& [key, entry] : entries_) {
      auto other = entry.connection.lock();
      if (!other) continue;
      const auto rank = [](const Connection& c) { return std::pair(c.state(), c.since()); };
      const bool gives_way = !entry.dismissed && other->state() != Connection::State::kAnswering;
      if (gives_way && (chosen.first == nullptr || rank(*other) < rank(*chosen.first))) {
        chosen = {other.get(), &entry};
      }
      held.push_back(std::move(other));
    }
    if (chosen.first == nullptr) return false;
    chosen.second->dismissed = true;
    chosen.first->dismiss();
  }
  entries_.emplace(connection.get(), Entry{connection});
  return true;
}

void Connections::remove(const Connection* connection) {
  const std::scoped_lock lock(mutex_);
  entries_.erase(connection);
}

}  // namespace interpole::server
