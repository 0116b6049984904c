// SPDX-License-Identifier: MIT
#include "tessera/serve/page_server.hpp"

#include <nlohmann/json.hpp>
#include <thread>

#include "serve/heuristic_list.hpp"
#include "serve/http_server.hpp"
#include "serve/origin.hpp"
#include "serve/page_files.hpp"
#include "serve/request.hpp"
#include "serve/searches.hpp"
#include "tessera/base/error.hpp"
#include "tessera/base/text.hpp"
#include "tessera/puzzle/random_board.hpp"
#include "tessera/report/version.hpp"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;
using httplib::Request;
using httplib::Response;

constexpr const char* json_type = "application/json";

// A page's search may be followed for long; now and then a comment shows whether it still is.
constexpr std::chrono::seconds heartbeat{5};

// The longest that GET /api/solve/ID?wait= waits.
constexpr std::chrono::seconds most_wait{30};

void answer(Response& response, int status, const std::string& json) {
  response.status = status;
  response.set_content(json, json_type);
}

void complain(Response& response, int status, const std::string& message) {
  answer(response, status,
         Json{{"error", message}}.dump(-1, ' ', false, Json::error_handler_t::replace));
}

int status_of(ErrorKind kind) {
  return kind == ErrorKind::input || kind == ErrorKind::resource ? 400 : 500;
}

std::vector<int> tiles_of(const Board& board) {
  std::vector<int> tiles;
  for (int cell = 0; cell < board.size().cells(); ++cell) tiles.push_back(board.tile(cell));
  return tiles;
}

Json described(const BoardRequest& boards) {
  const std::string reason = unsolvable_reason(boards.board, boards.goal);
  return {{"size", to_string(boards.board.size())},
          {"board", tiles_of(boards.board)},
          {"goal", boards.goal_name},
          {"goal_board", tiles_of(boards.goal)},
          {"solvable", reason.empty()},
          {"reason", reason.empty() ? Json(nullptr) : Json(reason)},
          {"others", boards.others}};
}

std::string parameter(const Request& request, const char* key, const std::string& otherwise) {
  return request.has_param(key) ? request.get_param_value(key) : otherwise;
}

}  // namespace

class PageServer::Implementation : public std::enable_shared_from_this<Implementation> {
 public:
  explicit Implementation(ServeOptions options)
      : options_(std::move(options)), searches_(options_), server_(options_.limits) {
    server_.set_tcp_nodelay(true);
    // Not SO_REUSEPORT, which httplib sets: two servers on one port would share its visitors.
    server_.set_socket_options([this](socket_t socket) {
      socket_ = socket;
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    server_.set_default_headers(
        {{"Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; "
          "connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; "
          "frame-ancestors 'none'"},
         {"X-Content-Type-Options", "nosniff"},
         {"Referrer-Policy", "no-referrer"},
         {"Cache-Control", "no-store"},
         {"Server", "tessera/" + version()}});
    server_.set_exception_handler(
        [](const Request&, Response& response, const std::exception_ptr& failure) {
          try {
            std::rethrow_exception(failure);
          } catch (const Error& error) {
            complain(response, status_of(error.kind()), error.what());
          } catch (const std::exception& error) {
            complain(response, 500, error.what());
          }
        });
    server_.set_error_handler([](const Request&, Response& response) {
      if (!response.body.empty()) return;
      const int status = response.status;
      complain(response, status,
               status == 404 ? "there is nothing here, docs/serve.md lists what there is"
                             : "the request cannot be read");
    });
    add_page();
    add_interface();
    port_ = options_.port;
    if (port_ == 0) port_ = server_.bind_to_any_port(options_.host);
    else if (!server_.bind_to_port(options_.host, port_)) port_ = -1;
    // httplib lets five connections wait to be accepted; beyond, a client tries again a second
    // later.
    if (port_ > 0) ::listen(socket_, SOMAXCONN);
    if (port_ <= 0) {
      bad_input("cannot listen on " + options_.host + " port " + std::to_string(options_.port) +
                ": it is taken or not this machine's, try another --port");
    }
  }

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] std::string address() const {
    const bool is_v6 = options_.host.find(':') != std::string::npos;
    std::string address = "http://";
    address.append(is_v6 ? "[" : "").append(options_.host).append(is_v6 ? "]:" : ":");
    return address.append(std::to_string(port_)).append("/");
  }

  void run(const std::atomic<bool>& stop) {
    std::jthread listener([this] { server_.serve(weak_from_this()); });
    constexpr std::chrono::milliseconds look{20};
    while (!stop) std::this_thread::sleep_for(look);
    searches_.stop();
    // A server that has not begun to listen would miss the word.
    while (!server_.is_running()) std::this_thread::sleep_for(look);
    server_.stop();
  }

 private:
  using Handler = void (Implementation::*)(const Request&, Response&);

  // Where a request comes from is looked at before anything else.
  httplib::Server::Handler guarded(Handler handler) {
    return [this, handler](const Request& request, Response& response) {
      if (const auto reason = refusal(origin_of(request), options_.host)) {
        complain(response, 403, *reason);
      } else {
        (this->*handler)(request, response);
      }
    };
  }

  static RequestOrigin origin_of(const Request& request) {
    return {request.get_header_value("Host"), request.get_header_value("Origin"),
            request.get_header_value("Sec-Fetch-Site")};
  }

  void add_page() {
    for (const PageFile& file : page_files()) {
      server_.Get(
          std::string(file.path), [this, &file](const Request& request, Response& response) {
            RequestOrigin origin = origin_of(request);
            // A link on another page may lead to this one.
            if (request.get_header_value("Sec-Fetch-Mode") == "navigate")
              origin.sec_fetch_site.clear();
            if (const auto reason = refusal(origin, options_.host)) {
              complain(response, 403, *reason);
              return;
            }
            response.set_content(file.content.data(), file.content.size(), std::string(file.type));
          });
    }
  }

  void add_interface() {
    server_.Post("/api/check", guarded(&Implementation::check));
    server_.Post("/api/scramble", guarded(&Implementation::scramble));
    server_.Get("/api/heuristics", guarded(&Implementation::heuristics));
    server_.Post("/api/solve", guarded(&Implementation::solve));
    server_.Get("/api/solve/([0-9a-f]+)", guarded(&Implementation::look));
    server_.Get("/api/solve/([0-9a-f]+)/events", guarded(&Implementation::follow));
    server_.Delete("/api/solve/([0-9a-f]+)", guarded(&Implementation::cancel));
  }

  // A board that is none is an answer too, not a failed request.
  void check(const Request& request, Response& response) {
    const auto boards = try_board_request(request.body);
    if (const auto* complaint = std::get_if<std::string>(&boards)) {
      complain(response, 200, *complaint);
    } else {
      answer(response, 200, described(std::get<BoardRequest>(boards)).dump());
    }
  }

  void scramble(const Request& request, Response& response) {
    const ScrambleRequest wanted = parse_scramble_request(request.body);
    Random random(wanted.seed);
    const Board board = wanted.moves > 0 ? scrambled(wanted.goal, wanted.moves, random)
                                         : random_board(wanted.goal, random);
    answer(response, 200,
           Json{{"size", to_string(board.size())}, {"board", tiles_of(board)}}.dump());
  }

  void heuristics(const Request& request, Response& response) {
    const Size size = parse_size(parameter(request, "size", "4x4"));
    const Board goal = parse_goal(parameter(request, "goal", "last"), size).board(size);
    const Metric metric = parse_metric(parameter(request, "metric", "single"));
    answer(response, 200, heuristic_list(goal, metric, options_));
  }

  void solve(const Request& request, Response& response) {
    const std::shared_ptr<Search> search =
        searches_.ask(parse_search_request(request.body, options_));
    if (!search) {
      complain(response, 503,
               std::to_string(options_.limits.waiting) + " searches wait already, try again later");
      return;
    }
    response.set_header("Location", "/api/solve/" + search->id());
    answer(response, 202, search->summary());
  }

  std::shared_ptr<Search> named(const Request& request, Response& response) {
    std::shared_ptr<Search> search = searches_.find(request.matches[1]);
    if (!search) complain(response, 404, "there is no such search, or it ended long ago");
    return search;
  }

  // One of the connections that may be held for long, so that some are left for what is short; null
  // where there is none.
  std::shared_ptr<void> follower_place() {
    if (following_.fetch_add(1) < options_.limits.following) {
      return {&following_, [](std::atomic<std::size_t>* following) { --*following; }};
    }
    --following_;
    return nullptr;
  }

  void look(const Request& request, Response& response) {
    const std::shared_ptr<Search> search = named(request, response);
    if (!search) return;
    const auto seconds = parse_integer(parameter(request, "wait", "0"));
    if (seconds && *seconds > 0) {
      const std::shared_ptr<void> place = follower_place();
      if (place) search->wait(std::chrono::seconds(std::min(*seconds, most_wait.count())));
    }
    answer(response, 200, search->summary());
  }

  void cancel(const Request& request, Response& response) {
    const std::shared_ptr<Search> search = named(request, response);
    if (!search) return;
    searches_.cancel(search);
    answer(response, 200, search->summary());
  }

  // Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
  void follow(const Request& request, Response& response) {
    const std::shared_ptr<Search> search = named(request, response);
    if (!search) return;
    const std::shared_ptr<void> place = follower_place();
    if (!place) return complain(response, 503, "too many follow searches already");
    const auto follower = std::make_shared<Search::Follower>(*search);
    response.set_chunked_content_provider(
        "text/event-stream", [search, follower, place](std::size_t, httplib::DataSink& sink) {
          std::string text;
          for (const SearchEvent& event : follower->next(heartbeat)) {
            text += "event: " + event.type + "\ndata: " + event.data + "\n\n";
          }
          if (text.empty()) text = ":\n\n";
          if (!sink.write(text.data(), text.size())) return false;
          if (follower->finished()) sink.done();
          return true;
        });
  }

  const ServeOptions options_;
  Searches searches_;
  HttpServer server_;
  std::atomic<std::size_t> following_ = 0;
  socket_t socket_ = INVALID_SOCKET;  // that listens
  int port_ = -1;
};

PageServer::PageServer(ServeOptions options)
    : implementation_(std::make_shared<Implementation>(std::move(options))) {}
PageServer::~PageServer() = default;

int PageServer::port() const {
  return implementation_->port();
}
std::string PageServer::address() const {
  return implementation_->address();
}
void PageServer::run(const std::atomic<bool>& stop) {
  implementation_->run(stop);
}

}  // namespace tessera
