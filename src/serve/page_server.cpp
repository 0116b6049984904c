// SPDX-License-Identifier: MIT
#include "serve/page_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "serve/http_server.hpp"
#include "serve/request.hpp"
#include "serve/searches.hpp"

namespace tessera {
namespace {

constexpr std::string_view searches_path = "/api/solve/";

unsigned status_of(ErrorKind kind) {
  return kind == ErrorKind::input || kind == ErrorKind::resource ? 400 : 500;
}

HttpResponse wrong_method(const std::string& expected) {
  return error_response(405, "this path supports only " + expected, {{"Allow", expected}});
}

HttpResponse unavailable(const std::string& message, const std::string& retry_seconds) {
  return error_response(503, message, {{"Retry-After", retry_seconds}});
}

// What a connection receives of a search: its events until the end, or with `until` only its
// summary, once it has ended or at that time. Holds `place` as long as the stream exists.
class SearchStream final : public BodyStream {
 public:
  using Clock = std::chrono::steady_clock;

  SearchStream(std::shared_ptr<Search> search, std::shared_ptr<void> place,
               std::optional<Clock::time_point> until = {})
      : search_(std::move(search)), place_(std::move(place)), until_(until) {}
  ~SearchStream() override { search_->leave(follower_); }
  SearchStream(const SearchStream&) = delete;
  SearchStream& operator=(const SearchStream&) = delete;

  void start(std::function<void()> changed) override {
    follower_.changed = std::move(changed);
    search_->follow(follower_);
  }
  [[nodiscard]] std::string next(bool overdue) override {
    if (until_) {
      follower_.finished = overdue || search_->ended();
      return follower_.finished ? search_->summary() : "";
    }
    std::string events = search_->news(follower_);
    // An occasional comment detects whether the client is still there.
    return events.empty() && overdue ? ":\n\n" : events;
  }
  [[nodiscard]] bool finished() const override { return follower_.finished; }
  [[nodiscard]] std::chrono::milliseconds longest_silence() const override {
    if (!until_) return std::chrono::seconds(5);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*until_ - Clock::now());
    return std::max(std::chrono::milliseconds(0), left);
  }

 private:
  std::shared_ptr<Search> search_;
  std::shared_ptr<void> place_;
  std::optional<Clock::time_point> until_;
  Search::Follower follower_;
};

// The page's files and the JSON interface: the response to each request.
class Implementation final : public PageServer {
 public:
  explicit Implementation(ServeOptions options)
      : has_own_token_(options.token == "auto"),
        options_(with_token(std::move(options))),
        hosts_(options_.allowed_hosts),
        searches_(options_),
        server_(options_, [this](const HttpRequest& request) { return respond(request); }) {
    hosts_.push_back(options_.host);
  }

  [[nodiscard]] int port() const override { return server_.port(); }
  [[nodiscard]] std::string address() const override {
    const std::string query = options_.token.empty() ? "" : "?token=" + options_.token;
    if (!options_.socket_path.empty()) {
      return "unix:" + options_.socket_path + (has_own_token_ ? query : "");
    }
    const bool is_v6 = options_.host.find(':') != std::string::npos;
    return fmt::format("http://{}:{}/{}", is_v6 ? "[" + options_.host + "]" : options_.host, port(),
                       query);
  }

  void run(const std::atomic<bool>& stop) override {
    server_.run(stop);
    searches_.stop();
    server_.flush();  // how the searches ended
  }

 private:
  static ServeOptions with_token(ServeOptions options) {
    if (options.token == "auto") options.token = random_token();
    else if (!options.token.empty()) expect_token(options.token);
    return options;
  }

  // Never throws because of a request; called by one thread.
  [[nodiscard]] HttpResponse respond(const HttpRequest& request) {
    try {
      return routed(request);
    } catch (const Error& error) {
      return error_response(status_of(error.kind()), error.what());
    } catch (const std::exception& error) {
      return error_response(500, error.what());
    }
  }

  // In a header, or in the address, since a browser's EventSource has no other place for it.
  [[nodiscard]] bool has_token(const HttpRequest& request) const {
    if (options_.token.empty()) return true;
    constexpr std::string_view bearer = "Bearer ";
    const std::string_view authorization = request.authorization;
    return equal_secrets(authorization.starts_with(bearer)
                             ? std::string(authorization.substr(bearer.size()))
                             : request.parameter("token", ""),
                         options_.token);
  }

  [[nodiscard]] HttpResponse routed(const HttpRequest& request) {
    const bool reads = request.method == "GET" || request.method == "HEAD";
    const auto file = std::ranges::find(page_files(), request.path, &PageFile::path);
    const bool is_file = file != page_files().end();
    if (const auto reason = refusal(request, reads && is_file, hosts_)) {
      return error_response(403, *reason);
    }
    if (is_file && !reads) return wrong_method("GET, HEAD");
    if (is_file) return {.body = std::string(file->content), .type = std::string(file->type)};
    if (!has_token(request)) {
      return error_response(401,
                            "this server requires a token: open the address that it printed, or "
                            "send Authorization: Bearer TOKEN",
                            {{"WWW-Authenticate", "Bearer"}});
    }
    const std::string_view path = request.path;
    if (path.starts_with(searches_path)) {
      return of_search(request, path.substr(searches_path.size()));
    }
    if (path == "/api/heuristics") return reads ? heuristics(request) : wrong_method("GET, HEAD");
    constexpr std::string_view posted[] = {"/api/check", "/api/scramble", "/api/solve",
                                           "/api/analyse"};
    if (std::ranges::find(posted, path) == std::end(posted)) {
      return error_response(404, "no such path; docs/serve.md lists them");
    }
    if (request.method != "POST") return wrong_method("POST");
    if (path == "/api/check") return {.body = check_boards(request.body)};
    if (path == "/api/scramble") return {.body = scramble_board(request.body)};
    if (path == "/api/solve") return search(parse_search_request(request.body, options_));
    return search(parse_analysis_request(request.body, options_));
  }

  [[nodiscard]] HttpResponse heuristics(const HttpRequest& request) const {
    const Size size = parse_size(request.parameter("size", "4x4"));
    const Board goal = with_error_prefix(
        "goal: ", [&] { return parse_goal(request.parameter("goal", "last"), size).board(size); });
    const Metric metric = parse_metric(request.parameter("metric", "single"));
    return {.body = heuristic_list(goal, metric, request.parameter("time_limit", ""), options_)};
  }

  [[nodiscard]] HttpResponse search(SearchRequest wanted) {
    const auto search = searches_.ask(std::move(wanted));
    if (!search) {
      const std::string seconds = std::to_string(searches_.time_to_room().count());
      return unavailable(fmt::format("{} searches wait already, try again in {} seconds",
                                     options_.limits.waiting, seconds),
                         seconds);
    }
    return {.status = 202,
            .body = search->summary(),
            .headers = {{"Location", std::string(searches_path) + search->id()}}};
  }

  // ID, or ID/events.
  [[nodiscard]] HttpResponse of_search(const HttpRequest& request, std::string_view path) {
    constexpr std::string_view events = "/events";
    const bool follows = path.ends_with(events);
    if (follows) path.remove_suffix(events.size());
    const std::shared_ptr<Search> search = searches_.find(std::string(path));
    if (!search) return error_response(404, "there is no such search, or it ended long ago");
    if (request.method == "DELETE" && !follows) {
      searches_.cancel(search);
    } else if (request.method != "GET" && request.method != "HEAD") {
      return wrong_method(follows ? "GET, HEAD" : "GET, HEAD, DELETE");
    } else if (follows) {
      auto place = follower_place();
      if (!place) return unavailable("too many follow searches already, ask without /events", "10");
      return {.type = "text/event-stream",
              .stream = std::make_unique<SearchStream>(search, std::move(place))};
    } else if (const std::int64_t seconds = seconds_to_wait(request); seconds > 0) {
      if (auto place = follower_place()) {
        const auto until = SearchStream::Clock::now() + std::chrono::seconds(seconds);
        return {.stream = std::make_unique<SearchStream>(search, std::move(place), until)};
      }
    }
    return {.body = search->summary()};
  }

  static std::int64_t seconds_to_wait(const HttpRequest& request) {
    constexpr std::int64_t most_seconds = 30;
    const std::string wait = request.parameter("wait", "0");
    const auto seconds = parse_integer(wait);
    if (!seconds || *seconds < 0) {
      bad_input("wait " + quote(wait) + " is not a number of seconds, expected 0 to 30");
    }
    return std::min(*seconds, most_seconds);
  }

  // A place for a long-lived connection; null if none is left.
  [[nodiscard]] std::shared_ptr<void> follower_place() {
    if (*following_ >= options_.limits.following) return nullptr;
    ++*following_;
    return {following_.get(), [following = following_](std::size_t*) { --*following; }};
  }

  const bool has_own_token_;  // made for this server
  const ServeOptions options_;
  std::vector<std::string> hosts_;
  Searches searches_;
  std::shared_ptr<std::size_t> following_ = std::make_shared<std::size_t>(0);
  HttpServer server_;  // last: its connections follow searches
};

}  // namespace

std::unique_ptr<PageServer> make_page_server(ServeOptions options) {
  return std::make_unique<Implementation>(std::move(options));
}

}  // namespace tessera
