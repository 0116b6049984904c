// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <unistd.h>

#include "base/error.hpp"
#include "cli/process/context.hpp"
#include "report/output.hpp"
#include "report/result_page.hpp"

namespace tessera {

int command_report(const Config& config, Context&) {
  if (config.words.empty()) bad_input("no file, expected tessera report FILE... -o page.html");
  if (!config.output && isatty(STDOUT_FILENO) != 0) {
    bad_input(
        "no -o, expected tessera report FILE... -o page.html, or standard output in a file: "
        "tessera report FILE... > page.html");
  }
  const std::string path = config.output.value_or("-");
  const bool to_standard_output = path == "-";
  ResultPage page;
  for (const std::string& file : config.words) page.add(read_text_file(file), file_name(file));
  const std::string html = page.html();
  Output output = Output::at(path);
  output.write(html);
  if (!config.quiet) {
    Output remarks = to_standard_output ? Output::standard_error() : Output::standard_output();
    remarks.write(fmt::format("{}: {}; {} KiB\n", to_standard_output ? "page" : path,
                              page.summary(), (html.size() + 1023) / 1024));
  }
  return exit_answered;
}

}  // namespace tessera
