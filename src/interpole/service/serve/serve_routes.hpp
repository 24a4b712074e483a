// What `interpole serve` answers: the page, its data, and fits made while it is open (docs/serve.md).
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "interpole/server/http_message.hpp"
#include "interpole/service/serve/background_fit.hpp"

namespace interpole::service {

// A document as it is sent, plain and compressed; made once, shared by everybody who asks for it.
server::HttpResponse served_document(const std::string& content_type, std::string text);

// The data of the page: those of the model the program was started with, or of a fit made since.
class ServedData {
 public:
  ServedData() = default;             // nothing to show yet: answers 204
  void begin_with(std::string json);  // of a model file
  void show(std::string json);        // of a new fit
  void show_first();
  server::HttpResponse response() const;

 private:
  mutable std::mutex mutex_;
  server::HttpResponse first_{204, "", nullptr, nullptr};
  server::HttpResponse shown_ = first_;
};

// The fit that the body of a request asks for, all else being as in `request`. Throws a usage error that
// names the key.
FitRequest asked_fit(const std::string& body, FitRequest request);

// What of a fit the page does not choose, asked for when a fit is to start; nothing: there is no study. With
// the names under which the reader knows the files.
struct FitBasis {
  FitRequest request;
  FitRequest shown;
};
using FindBasis = std::function<std::optional<FitBasis>()>;

// `builder`: there is a study builder, with routes of its own (builder_routes.hpp). All must outlive the
// routes.
std::vector<server::HttpRoute> serve_routes(const std::string& page, ServedData& data, BackgroundFit& fit,
                                            const FindBasis& basis, bool builder = false);

}  // namespace interpole::service
