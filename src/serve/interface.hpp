// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "serve/http.hpp"
#include "serve/searches.hpp"

namespace tessera {

/// A file of the page, part of the program.
struct PageFile {
  std::string_view path;  ///< "/main.js"
  std::string_view type;
  std::string_view content;
};

[[nodiscard]] std::span<const PageFile> page_files();

/// The page's files and the JSON interface beneath them (docs/serve.md): what each request gets.
class Interface {
 public:
  explicit Interface(const ServeOptions& options);

  /// Never throws what a request brings about; called by one thread.
  [[nodiscard]] HttpResponse respond(const HttpRequest& request);
  /// Stops all searches and waits for their threads.
  void stop() { searches_.stop(); }

 private:
  [[nodiscard]] bool has_token(const HttpRequest& request) const;
  [[nodiscard]] HttpResponse routed(const HttpRequest& request);
  [[nodiscard]] HttpResponse check(const HttpRequest& request) const;
  [[nodiscard]] HttpResponse scramble(const HttpRequest& request) const;
  [[nodiscard]] HttpResponse heuristics(const HttpRequest& request) const;
  [[nodiscard]] HttpResponse solve(const HttpRequest& request);
  [[nodiscard]] HttpResponse of_search(const HttpRequest& request, std::string_view path);
  /// One of the connections that may be held for long; null where there is none left.
  [[nodiscard]] std::shared_ptr<void> follower_place();

  const ServeOptions& options_;
  std::vector<std::string> hosts_;
  Searches searches_;
  std::shared_ptr<std::size_t> following_ = std::make_shared<std::size_t>(0);
};

}  // namespace tessera
