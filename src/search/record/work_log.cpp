// SPDX-License-Identifier: MIT
#include "search/record/work_log.hpp"

#include <fmt/chrono.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/text.hpp"

namespace tessera {
namespace {

// 0-3,8,10-11
std::string ranges(const std::vector<int>& ascending) {
  std::string text;
  for (std::size_t i = 0; i < ascending.size();) {
    std::size_t last = i;
    while (last + 1 < ascending.size() && ascending[last + 1] == ascending[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += std::to_string(ascending[i]);
    if (last > i) text += '-' + std::to_string(ascending[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace

WorkLog::WorkLog(const std::filesystem::path& folder, int rank)
    : path_(folder / ("rank-" + std::to_string(rank) + ".log")) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  errno = 0;
  file_.open(path_, std::ios::app);
  if (!file_) {
    bad_input(path_.string() + ": cannot be written (" +
              (error ? error.message() : std::strerror(errno)) + "), expected a writable folder");
  }
  line(fmt::format("start: rank {} on {}, process {}, CPUs {} ({})", rank, host_name(), getpid(),
                   ranges(allowed_cpus()), cpu_name()));
}

void WorkLog::threads(int count) {
  line(counted(count, "search thread"));
}

WorkLog::~WorkLog() {
  line("end");
}

void WorkLog::line(const std::string& text) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  errno = 0;
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  file_ << fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z {}\n", fmt::gmtime(ms / 1000), ms % 1000, text)
        << std::flush;
  if (!file_ && failure_.empty()) failure_ = std::strerror(errno);
}

void WorkLog::board_started(const std::string& id) {
  line(id.empty() ? "board" : "board " + quote(id));
}

void WorkLog::worked(int bound, const WorkFigures& figures) {
  const double available = figures.seconds * figures.threads;
  const double rate = figures.search_seconds > 0
                          ? static_cast<double>(figures.expanded) / figures.search_seconds
                          : 0;
  line(fmt::format(
      "bound {}: {:.6f} s, searched {} subtrees: {} dealt, {} cut, {} stolen, {} given; {} "
      "requests, {} refused, {} rounds; {} expanded, {:.2f} M/s per thread, idle {:.1f} %",
      bound, figures.seconds, figures.searched, figures.dealt, figures.cut, figures.stolen,
      figures.given, figures.requests, figures.refusals, figures.rounds, figures.expanded,
      rate / 1e6, available > 0 ? 100 * (1 - figures.search_seconds / available) : 0));
}

void WorkLog::iteration_finished(const IterationReport& report) {
  line(fmt::format("all ranks, bound {}: {:.6f} s, {} expanded, {} generated{}", report.bound,
                   report.seconds, report.counts.expanded, report.counts.generated,
                   report.complete ? "" : ", not finished"));
}

void WorkLog::incumbent(int length) {
  line(fmt::format("solution of {} moves", length));
}

void WorkLog::check() const {
  if (!failure_.empty())
    internal_failure(path_.string() + ": cannot be written (" + failure_ + ")");
}

}  // namespace tessera
