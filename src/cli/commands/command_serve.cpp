// SPDX-License-Identifier: MIT
#include "base/text.hpp"
#include "cli/commands/command_output.hpp"
#include "cli/process/context.hpp"
#include "cli/process/exit_code.hpp"
#include "cli/process/signals.hpp"
#include "serve/page_server.hpp"

namespace tessera {

namespace {

bool is_loopback(const std::string& host) {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

}  // namespace

int command_serve(const Config& config, Context& context) {
  stop_on_signals(context.interrupted);
  const std::vector<RankPlace> places = context.places(config.threads);
  ServeOptions options;
  options.host = config.host;
  options.port = config.port;
  options.socket_path = config.socket;
  options.token = config.token;
  options.allowed_hosts = config.allowed_hosts;
  options.threads = places[0].threads;
  options.table_directory = config.table_directory;
  const std::unique_ptr<PageServer> server = make_page_server(std::move(options));
  CommandOutput output(config);
  output.answer(server->address() + "\n");
  output.remark(counted(places[0].threads, "search thread") + " for each search; Ctrl-C ends\n");
  if (config.socket.empty() && config.token.empty() && !is_loopback(config.host)) {
    output.complain("warning: everyone who can reach " + config.host +
                    " can search on this machine; --token auto asks them for a token");
  }
  server->run(context.interrupted);
  return exit_answered;
}

}  // namespace tessera
