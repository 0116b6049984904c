// SPDX-License-Identifier: MIT
#include "tessera/search/work_log.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <iomanip>
#include <sstream>

#include "tessera/base/error.hpp"
#include "tessera/base/machine.hpp"
#include "tessera/base/text.hpp"

namespace tessera {
namespace {

// 2026-03-01T12:00:00.123Z
std::string time_text() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  const std::time_t seconds = ms / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  std::ostringstream out;
  out << text.data() << '.' << std::setw(3) << std::setfill('0') << ms % 1000 << 'Z';
  return out.str();
}

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

std::string fixed(double number, int digits) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(digits) << number;
  return out.str();
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
  line("start: rank " + std::to_string(rank) + " on " + host_name() + ", process " +
       std::to_string(getpid()) + ", CPUs " + ranges(allowed_cpus()) + " (" + cpu_name() + ")");
}

void WorkLog::threads(int count) {
  line(std::to_string(count) + (count == 1 ? " search thread" : " search threads"));
}

WorkLog::~WorkLog() {
  line("end");
}

void WorkLog::line(const std::string& text) {
  file_ << time_text() + " " + text + "\n" << std::flush;
}

void WorkLog::board_started(const std::string& id) {
  line(id.empty() ? "board" : "board " + quote(id));
}

void WorkLog::worked(int bound, const WorkFigures& figures) {
  const double available = figures.seconds * figures.threads;
  std::ostringstream text;
  text << "bound " << bound << ": " << fixed(figures.seconds, 6) << " s, searched "
       << figures.searched << " subtrees: " << figures.dealt << " dealt, " << figures.cut
       << " cut, " << figures.stolen << " stolen, " << figures.given << " given; "
       << figures.requests << " requests, " << figures.refusals << " refused, " << figures.rounds
       << " rounds; " << figures.expanded << " expanded, "
       << fixed(figures.search_seconds > 0
                    ? static_cast<double>(figures.expanded) / figures.search_seconds / 1e6
                    : 0,
                2)
       << " M/s a thread, idle "
       << fixed(available > 0 ? 100 * (1 - figures.search_seconds / available) : 0, 1) << " %";
  line(text.str());
}

void WorkLog::iteration_finished(const IterationReport& report) {
  line("all ranks, bound " + std::to_string(report.bound) + ": " + fixed(report.seconds, 6) +
       " s, " + std::to_string(report.counts.expanded) + " expanded, " +
       std::to_string(report.counts.generated) + " generated" +
       (report.complete ? "" : ", cut by a limit"));
}

void WorkLog::incumbent(int length) {
  line("solution of " + std::to_string(length) + " moves");
}

void WorkLog::unanswered(const std::vector<int>& ranks) {
  line(ranks.empty() ? "all ranks answer again" : "ranks that do not answer: " + ranges(ranks));
}

void WorkLog::check() const {
  if (!file_) throw Error(ErrorKind::internal, path_.string() + ": cannot be written");
}

}  // namespace tessera
