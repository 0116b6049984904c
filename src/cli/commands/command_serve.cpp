// SPDX-License-Identifier: MIT
#include "base/text.hpp"
#include "cli/commands/command_output.hpp"
#include "cli/process/context.hpp"
#include "serve/page_server.hpp"

namespace tessera {

int command_serve(const Config& config, Context& context) {
  context.stop_on_signals();
  const int threads = context.places(config.threads)[0].threads;
  const std::unique_ptr<PageServer> server =
      make_page_server({.host = config.host,
                        .port = config.port,
                        .socket_path = config.socket,
                        .allowed_hosts = config.allowed_hosts,
                        .token = config.token,
                        .threads = threads,
                        .table_directory = config.table_directory});
  CommandOutput output(config);
  output.answer(server->address() + "\n");
  output.remark(counted(threads, "search thread") + " for each search; Ctrl-C stops the server\n");
  const bool is_loopback =
      config.host == "localhost" || config.host == "::1" || config.host.starts_with("127.");
  if (config.socket.empty() && config.token.empty() && !is_loopback) {
    output.complain("warning: everyone who can reach " + config.host +
                    " can search on this machine; --token auto asks them for a token");
  }
  server->run(context.interrupted);
  return exit_answered;
}

}  // namespace tessera
