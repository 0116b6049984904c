// SPDX-License-Identifier: MIT
#include "report/trace_writer.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.hpp"
#include "base/json_object.hpp"
#include "report/version.hpp"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

// Threads of a process in display order; rank 0's start with the boards.
constexpr int boards_thread = 0;
constexpr int thread_of(const Track& track) {
  return track.thread == Track::main_thread ? 1 : 2 + track.thread;
}

constexpr std::string_view tail = "\n]}\n";

// Microseconds, the format's unit, with nanosecond precision.
std::string microseconds(std::int64_t ns) {
  return fmt::format("{}{}.{:03}", ns < 0 ? "-" : "", std::abs(ns) / 1000, std::abs(ns) % 1000);
}

std::string event(std::string_view phase, std::string_view name, int rank, int thread,
                  std::int64_t ns, std::string_view more = "") {
  return fmt::format(R"({{"ph":"{}","name":{},"pid":{},"tid":{},"ts":{}{}}})", phase,
                     to_line(Json(name)), rank, thread, microseconds(ns), more);
}

Json arguments_of(const Span& span, int bound) {
  switch (span.activity) {
    case Activity::search: {
      Json json{{"bound", bound},
                {span.merged > 1 ? "first_subtree" : "subtree", span.subject},
                {"expanded", span.amount}};
      if (span.from >= 0) json["from_thread"] = span.from;
      if (span.merged > 1) {
        json["merged"] = span.merged;
        json["busy_us"] = static_cast<double>(span.busy) / 1000;
      }
      return json;
    }
    case Activity::steal:
      return {{"rank", span.subject}, {"subtrees", span.amount}};
    case Activity::give:
      return {{"to_rank", span.subject}, {"subtrees", span.amount}};
    case Activity::share:
      return {{"branches", span.amount}};
    case Activity::tell:
      return {{"subtrees", span.amount}};
    case Activity::over:
      return {{"why", to_string(static_cast<Ending>(span.subject))}};
    default:
      return Json::object();
  }
}

}  // namespace

TraceWriter::TraceWriter(Output output, const RunSetup& setup, const std::vector<RankPlace>& places)
    : output_(std::move(output)), start_(nanoseconds_now()) {
  const Json other{{"schema", "tessera.trace/1"},
                   {"version", version()},
                   {"engine", setup.engine},
                   {"backend", setup.backend},
                   {"ranks", setup.ranks},
                   {"threads", setup.threads},
                   {"hosts", setup.hosts},
                   {"schedule", or_null<Json>(setup.schedule)},
                   {"bounds", or_null<Json>(setup.bounds)}};
  events_ = "{\"displayTimeUnit\":\"ms\",\"otherData\":" + to_line(other) + ",\"traceEvents\":[\n";
  const auto name = [&](std::string_view kind, int rank, int thread, const Json& arguments) {
    add(fmt::format(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{}}})", kind, rank, thread,
                    to_line(arguments)));
  };
  const auto name_thread = [&](int rank, int thread, const std::string& text) {
    name("thread_name", rank, thread, {{"name", text}});
    name("thread_sort_index", rank, thread, {{"sort_index", thread}});
  };
  for (int rank = 0; rank < static_cast<int>(places.size()); ++rank) {
    const RankPlace& place = places[static_cast<std::size_t>(rank)];
    name("process_name", rank, 0, {{"name", fmt::format("rank {} on {}", rank, place.host)}});
    name("process_sort_index", rank, 0, {{"sort_index", rank}});
    if (rank == 0) name_thread(rank, boards_thread, "boards and iterations");
    name_thread(rank, thread_of({}), "main");
    // A single process without search threads searches in its main thread.
    for (int thread = 0; thread < place.threads && setup.backend != "serial"; ++thread) {
      name_thread(rank, 2 + thread, fmt::format("search {}", thread));
    }
  }
}

void TraceWriter::add(const std::string& event) {
  if (!events_.ends_with("[\n")) events_ += ",\n";
  events_ += event;
}

void TraceWriter::note(std::string_view phase, std::string_view name, std::string_view more) {
  add(event(phase, name, 0, boards_thread, nanoseconds_now() - start_, more));
}

void TraceWriter::write() {
  const std::string events = std::exchange(events_, {});
  if (failure_) return;
  try {
    output_.write_before(tail, events);
  } catch (const Error&) {
    failure_ = std::current_exception();
  }
}

void TraceWriter::end() {
  write();
  if (failure_) std::rethrow_exception(failure_);
}

void TraceWriter::board_started(const std::string& id) {
  note("B", "board " + id);
}

void TraceWriter::board_finished(const BoardResult& result) {
  Json arguments{{"status", to_string(result.status)}};
  if (result.length) arguments["moves"] = *result.length;
  arguments["expanded"] = result.counts.expanded;
  arguments["generated"] = result.counts.generated;
  note("E", "board " + result.id, ",\"args\":" + to_line(arguments));
  write();
}

void TraceWriter::iteration_started(int bound) {
  bound_ = bound;
  open_ = true;
  note("B", fmt::format("bound {}", bound));
  write();
}

void TraceWriter::iteration_finished(const IterationReport& report) {
  const Json arguments{{"bound", report.bound},
                       {"expanded", report.counts.expanded},
                       {"generated", report.counts.generated},
                       {"idle_fraction", report.idle_fraction},
                       {"complete", report.complete}};
  // Independent bounds start together, and their figures arrive one after another at the end.
  const bool closes = std::exchange(open_, false);
  note(closes ? "E" : "i", fmt::format("bound {}", report.bound),
       std::string(closes ? "" : R"(,"s":"t")") + ",\"args\":" + to_line(arguments));
}

void TraceWriter::incumbent(int length) {
  note("i", fmt::format("{} moves", length), R"(,"s":"g")");
}

void TraceWriter::traced(const std::vector<Track>& tracks) {
  for (const Track& track : tracks) {
    const int thread = thread_of(track);
    for (const Span& span : track.spans) {
      const std::string_view name = to_string(span.activity);
      const std::string arguments = ",\"args\":" + to_line(arguments_of(span, bound_));
      const std::int64_t begin = span.begin - start_;
      if (is_moment(span.activity)) {
        add(event("i", name, track.rank, thread, begin, R"(,"s":"t")" + arguments));
      } else if (span.activity == Activity::steal) {
        // Requests to several ranks overlap, so each is a track of its own.
        const std::string id = fmt::format(R"(,"cat":"steal","id":{})", ++steals_);
        add(event("b", name, track.rank, thread, begin, id + arguments));
        add(event("e", name, track.rank, thread, span.end - start_, id));
      } else {
        add(event("X", name, track.rank, thread, begin,
                  ",\"dur\":" + microseconds(span.end - span.begin) + arguments));
      }
    }
    if (track.dropped > 0 && !track.spans.empty()) {
      add(event("i", "too much to keep", track.rank, thread, track.spans.back().end - start_,
                fmt::format(R"(,"s":"t","args":{{"dropped":{},"what":"the shortest spans"}})",
                            track.dropped)));
    }
  }
  write();
}

}  // namespace tessera
