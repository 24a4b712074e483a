// What `interpole serve` answers: the page, its data, and fits made while it is open (docs/serve.md).
#pragma once

#include <functional>
#include <memory>
#include <mutex>
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
  explicit ServedData(std::string json);
  void show(std::string json);  // of a new fit
  void show_first();
  server::HttpResponse response() const;

 private:
  mutable std::mutex mutex_;
  server::HttpResponse first_;
  server::HttpResponse shown_;
};

// The fit that the body of a request asks for, all else being as in `request`. Throws a usage error that
// names the key.
FitRequest asked_fit(const std::string& body, FitRequest request);

// `can_fit`: there is a study. `request`: what of a fit the page does not choose. All must outlive the
// routes.
std::vector<server::HttpRoute> serve_routes(const std::string& page, ServedData& data, BackgroundFit& fit,
                                            bool can_fit, const FitRequest& request);

}  // namespace interpole::service
