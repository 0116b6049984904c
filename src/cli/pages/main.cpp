// SPDX-License-Identifier: MIT
// Writes the man pages into a folder, when tessera is built:
//   tessera_pages FOLDER DATE
#include <filesystem>
#include <fstream>
#include <iostream>

#include "cli/pages/pages.hpp"

namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path);
  file.exceptions(std::ios::failbit | std::ios::badbit);
  file << text;
  file.close();
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::cerr << "usage: tessera_pages FOLDER DATE\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  const std::string date = argv[2];
  // Removes pages of commands that no longer exist.
  std::filesystem::remove_all(folder);
  write(folder / "man1" / "tessera.1", tessera::man_page(date));
  for (const tessera::CommandSpec& command : tessera::command_specs()) {
    write(folder / "man1" / ("tessera-" + std::string(command.name) + ".1"),
          tessera::man_page(command, date));
  }
} catch (const std::exception& error) {
  std::cerr << "tessera_pages: " << error.what() << "\n";
  return 1;
}
