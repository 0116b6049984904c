// SPDX-License-Identifier: MIT
#include "serve/interface.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "serve/following.hpp"
#include "serve/heuristic_list.hpp"
#include "serve/http.hpp"
#include "serve/request.hpp"
#include "tessera/base/error.hpp"
#include "tessera/base/text.hpp"
#include "tessera/puzzle/random_board.hpp"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view searches_path = "/api/solve/";

unsigned status_of(ErrorKind kind) {
  return kind == ErrorKind::input || kind == ErrorKind::resource ? 400 : 500;
}

HttpResponse json_response(const Json& json, unsigned status = 200) {
  return {.status = status, .body = json.dump()};
}

HttpResponse not_found() {
  return error_response(404, "no such path; docs/serve.md lists them");
}

HttpResponse unavailable(const std::string& message, const std::string& retry_seconds) {
  HttpResponse response = error_response(503, message);
  response.headers.emplace_back("Retry-After", retry_seconds);
  return response;
}

Json described(const BoardRequest& boards) {
  const std::string reason = unsolvable_reason(boards.board, boards.goal);
  return {{"size", to_string(boards.board.size())},
          {"board", boards.board.tiles()},
          {"goal", boards.goal_name},
          {"goal_board", boards.goal.tiles()},
          {"solvable", reason.empty()},
          {"reason", reason.empty() ? Json(nullptr) : Json(reason)},
          {"others", boards.others}};
}

const PageFile* page_file(const HttpRequest& request) {
  const auto files = page_files();
  const auto found = std::find_if(files.begin(), files.end(),
                                  [&](const PageFile& file) { return file.path == request.path; });
  return found == files.end() ? nullptr : &*found;
}

}  // namespace

Interface::Interface(const ServeOptions& options)
    : options_(options), hosts_(options.allowed_hosts), searches_(options) {
  hosts_.push_back(options.host);
}

HttpResponse Interface::respond(const HttpRequest& request) {
  try {
    return routed(request);
  } catch (const Error& error) {
    return error_response(status_of(error.kind()), error.what());
  } catch (const std::exception& error) {
    return error_response(500, error.what());
  }
}

HttpResponse Interface::routed(const HttpRequest& request) {
  const bool reads = request.method == "GET" || request.method == "HEAD";
  const PageFile* file = reads ? page_file(request) : nullptr;
  RequestOrigin origin = request.origin;
  // A link on another page may lead to this one.
  if (file != nullptr && origin.sec_fetch_mode == "navigate") origin.sec_fetch_site.clear();
  if (const auto reason = refusal(origin, hosts_)) return error_response(403, *reason);
  if (file != nullptr) {
    return {.body = std::string(file->content), .type = std::string(file->type)};
  }
  if (!has_token(request)) {
    HttpResponse response =
        error_response(401,
                       "this server asks for its token: open the address that it printed, or send "
                       "Authorization: Bearer TOKEN");
    response.headers.emplace_back("WWW-Authenticate", "Bearer");
    return response;
  }
  const std::string_view path = request.path;
  if (path.starts_with(searches_path)) {
    return of_search(request, path.substr(searches_path.size()));
  }
  if (reads && path == "/api/heuristics") return heuristics(request);
  if (request.method != "POST") return not_found();
  if (path == "/api/check") return check(request);
  if (path == "/api/scramble") return scramble(request);
  if (path == "/api/solve") return solve(request);
  return not_found();
}

// In the head, or in the address, as a browser's EventSource has no other place for it.
bool Interface::has_token(const HttpRequest& request) const {
  if (options_.token.empty()) return true;
  constexpr std::string_view bearer = "Bearer ";
  const std::string_view authorization = request.authorization;
  return equal_secrets(authorization.starts_with(bearer)
                           ? std::string(authorization.substr(bearer.size()))
                           : request.parameter("token", ""),
                       options_.token);
}

// A board that is none is an answer too, not a failed request.
HttpResponse Interface::check(const HttpRequest& request) const {
  const auto boards = try_board_request(request.body);
  if (const auto* complaint = std::get_if<std::string>(&boards)) {
    return error_response(200, *complaint);
  }
  return json_response(described(std::get<BoardRequest>(boards)));
}

HttpResponse Interface::scramble(const HttpRequest& request) const {
  const ScrambleRequest wanted = parse_scramble_request(request.body);
  Random random(wanted.seed);
  const Board board = wanted.moves > 0 ? scrambled(wanted.goal, wanted.moves, random)
                                       : random_board(wanted.goal, random);
  return json_response({{"size", to_string(board.size())}, {"board", board.tiles()}});
}

HttpResponse Interface::heuristics(const HttpRequest& request) const {
  const Size size = parse_size(request.parameter("size", "4x4"));
  const Board goal = parse_goal(request.parameter("goal", "last"), size).board(size);
  const Metric metric = parse_metric(request.parameter("metric", "single"));
  return {.body = heuristic_list(goal, metric, options_)};
}

HttpResponse Interface::solve(const HttpRequest& request) {
  const auto search = searches_.ask(parse_search_request(request.body, options_));
  if (!search) {
    const std::string seconds = std::to_string(searches_.time_to_room().count());
    return unavailable(std::to_string(options_.limits.waiting) +
                           " searches wait already, try again in " + seconds + " seconds",
                       seconds);
  }
  return {.status = 202,
          .body = search->summary(),
          .headers = {{"Location", std::string(searches_path) + search->id()}}};
}

// ID, or ID/events.
HttpResponse Interface::of_search(const HttpRequest& request, std::string_view path) {
  constexpr std::string_view events = "/events";
  const bool follows = path.ends_with(events);
  if (follows) path.remove_suffix(events.size());
  const std::shared_ptr<Search> search = searches_.find(std::string(path));
  if (!search) return error_response(404, "there is no such search, or it ended long ago");
  if (request.method == "DELETE" && !follows) {
    searches_.cancel(search);
  } else if (request.method != "GET" && request.method != "HEAD") {
    return not_found();
  } else if (follows) {
    auto place = follower_place();
    if (!place) return unavailable("too many follow searches already, ask without /events", "10");
    return {.type = "text/event-stream", .stream = event_stream(search, std::move(place))};
  } else if (const auto seconds = parse_integer(request.parameter("wait", "0")).value_or(0);
             seconds > 0) {
    if (auto place = follower_place()) {
      constexpr std::int64_t most_seconds = 30;
      const std::chrono::seconds time(std::min(seconds, most_seconds));
      return {.stream = summary_stream(search, time, std::move(place))};
    }
  }
  return {.body = search->summary()};
}

std::shared_ptr<void> Interface::follower_place() {
  if (*following_ >= options_.limits.following) return nullptr;
  ++*following_;
  return {following_.get(), [following = following_](std::size_t*) { --*following; }};
}

}  // namespace tessera
