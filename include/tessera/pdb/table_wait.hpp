// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

namespace tessera {

/// Who hears "waiting for TABLE, held by process 123 on host" once per wait of open_table for
/// another process that builds the table; nobody at first.
void on_table_wait(std::function<void(const std::string&)> hear);

}  // namespace tessera
