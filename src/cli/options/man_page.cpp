// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <array>
#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/replace.hpp>
#include <filesystem>
#include <regex>

#include "base/descriptor.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "cli/options/options.hpp"
#include "cli/process/exit_code.hpp"
#include "report/version.hpp"

namespace tessera {
namespace {

// Escapes text for roff, so that nothing in it is a command.
std::string roff(std::string text) {
  boost::replace_all(text, "\\", "\\e");
  boost::replace_all(text, "-", "\\-");
  return text.starts_with('.') || text.starts_with('\'') ? "\\&" + text : text;
}

std::string bold(const std::string& text) {
  return "\\fB" + roff(text) + "\\fR";
}

// Literal parts in bold, placeholders in italics: none|queues:K|FILE.
std::string value_text(const std::string& value) {
  static const std::regex pieces("(WxH|[A-Z]+)|([a-z-]+)|.");
  std::string text;
  for (auto piece = std::sregex_iterator(value.begin(), value.end(), pieces);
       piece != std::sregex_iterator(); ++piece) {
    const bool is_name = (*piece)[1].matched;
    const bool is_word = (*piece)[2].matched;
    text += is_name   ? "\\fI" + piece->str() + "\\fR"
            : is_word ? bold(piece->str())
                      : roff(piece->str());
  }
  return text;
}

std::string header(const std::string& name, const std::string& date) {
  return fmt::format(
      ".\\\" Made from the table of options when tessera was built.\n"
      ".TH {} 1 {} \"tessera {}\" \"User Commands\"\n",
      boost::to_upper_copy(name), date, version());
}

std::string option_entry(const std::string& name, const char* value, const std::string& help,
                         char letter = '\0') {
  const std::string brief = letter == '\0' ? "" : bold(std::string{'-', letter}) + ", ";
  return fmt::format(".TP\n{}{}{}{}\n{}.\n", brief, bold("--" + name), value == nullptr ? "" : " ",
                     value == nullptr ? "" : value_text(value), roff(help));
}

std::string exit_status() {
  std::string text = ".SH EXIT STATUS\n";
  for (const ExitMeaning& exit : exit_meanings) {
    text += fmt::format(".TP\n\\fB{}\\fR\n{}.\n", static_cast<int>(exit.code), roff(exit.meaning));
  }
  return text +
         ".PP\nUnder\n.BR mpirun (1)\n"
         "it is the status of rank 0; what ends the job from outside gives that of mpirun.\n";
}

std::string examples(std::string_view lines) {
  std::string text = ".SH EXAMPLES\n.nf\n";
  for (const std::string& line : split_list(lines, '\n')) {
    if (!line.empty()) text += roff(line) + "\n";
  }
  return text + ".fi\n";
}

std::string man_page(const CommandSpec& command, const std::string& date) {
  const std::string name = "tessera-" + std::string(command.name);
  std::string summary = command.summary;
  summary[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(summary[0])));
  std::string text = header(name, date);
  text += ".SH NAME\n" + name + " \\- " + roff(summary) + "\n";
  text += ".SH SYNOPSIS\n" + bold("tessera " + std::string(command.name));
  if (command.words[0] != '\0') text.append(1, ' ').append(value_text(command.words));
  text += " [\\fIoptions\\fR]\n";
  text += ".SH DESCRIPTION\n";
  text += roff(command.description) + "\n";
  text += ".SH OPTIONS\n";
  for (const OptionSpec& option : options_of(command)) {
    text += option_entry(option.name, option.value, option.help, option.letter);
  }
  text +=
      ".SH ENVIRONMENT\n"
      "Options that are not on the command line are read from the environment, then from the file "
      "of\n"
      "\\fB\\-\\-config\\fR.\n"
      "The variable of an option is its name in capitals after\n.BR TESSERA_ :\n";
  for (const OptionSpec& option : options_of(command)) {
    if (option.apply != nullptr) text += ".br\n.B " + roff(environment_name(option)) + "\n";
  }
  text += exit_status() + examples(command.examples);
  return text + ".SH SEE ALSO\n.BR tessera (1)\n";
}

std::string man_page(const std::string& date) {
  std::string text = header("tessera", date);
  text +=
      ".SH NAME\ntessera \\- optimal solver of sliding\\-tile puzzles, on threads and on MPI "
      "ranks\n"
      ".SH SYNOPSIS\n\\fBtessera\\fR \\fIcommand\\fR [\\fIoptions\\fR]\n.br\n"
      "\\fBmpirun \\-np\\fR \\fIR\\fR \\fBtessera\\fR \\fIcommand\\fR [\\fIoptions\\fR]\n"
      ".SH DESCRIPTION\n"
      "Solves sliding\\-tile puzzles optimally and proves it: on one core, on\nthe threads of a "
      "workstation, or on the MPI ranks of a cluster. Answers go to standard output,\nall else to "
      "standard error.\n"
      ".SH COMMANDS\n";
  for (const CommandSpec& command : command_specs()) {
    text += fmt::format(".TP\n.BR tessera\\-{} (1)\n{}.\n", command.name, roff(command.summary));
  }
  text += ".SH OPTIONS\n";
  text += option_entry("help", nullptr, "Print the commands; after a command, its options");
  text += option_entry("version", nullptr, "Print version, revision, compiler and MPI library");
  text += exit_status();
  text +=
      ".SH ENVIRONMENT\nEvery option but --config, --help and --help-all has a variable, which its "
      "command's page names.\n"
      ".SH FILES\n.TP\n.I ~/.cache/tessera\n"
      "Tables of heuristics, unless \\fB\\-\\-pdb\\-dir\\fR, \\fBTESSERA_PDB_DIR\\fR or "
      "\\fBXDG_CACHE_HOME\\fR says otherwise.\n";
  text += examples(general_examples) + ".SH SEE ALSO\n";
  for (const CommandSpec& command : command_specs()) {
    text += fmt::format(".BR tessera\\-{} (1),\n", command.name);
  }
  return text + ".BR mpirun (1)\n";
}

}  // namespace

void write_man_pages(const std::filesystem::path& folder, const std::string& date) {
  const auto write = [&](const std::string& name, const std::string& page) {
    write_atomically(folder / (name + ".1"), std::array{raw_bytes(page)});
  };
  write("tessera", man_page(date));
  for (const CommandSpec& command : command_specs()) {
    write("tessera-" + std::string(command.name), man_page(command, date));
  }
}

}  // namespace tessera
