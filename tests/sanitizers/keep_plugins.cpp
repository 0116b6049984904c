// SPDX-License-Identifier: MIT
// Linked into sanitizer builds with MPI: Open MPI's plugins stay mapped, so that a leak report can
// name their frames and tests/sanitizers/lsan.supp can tell them from ours.
extern "C" int dlclose(void*) noexcept {
  return 0;
}
