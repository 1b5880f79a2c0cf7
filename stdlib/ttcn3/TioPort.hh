// The port to a system under test that speaks tio/1 over TCP: a JSON object per line, a connection per test. For a system
// that speaks something else, change this class: it turns inputs into bytes and bytes into outputs, and says when.
//
// Test port parameter: address, "HOST:PORT".
#ifndef TioPort_HH
#define TioPort_HH

#include "TioBase.hh"

#include <string>

namespace TioBase {

class TioPort : public TioPort_BASE {
public:
  TioPort(const char* name = NULL);
  ~TioPort();

  void set_parameter(const char* name, const char* value);

protected:
  void user_map(const char* system_port, Map_Params& params);
  void user_unmap(const char* system_port, Map_Params& params);
  void user_start() {}
  void user_stop() {}

  void outgoing_send(const TioStart& start);
  void outgoing_send(const TioInput& input);

private:
  void Handle_Fd_Event_Error(int) { trouble("the connection broke"); }
  void Handle_Fd_Event_Writable(int) {}
  void Handle_Fd_Event_Readable(int fd);

  void write(const std::string& line);
  void hear(const std::string& line);
  void trouble(const std::string& what);
  void close();

  std::string address_;
  std::string received_; // the beginning of a line
  int fd_;
};

} // namespace TioBase

#endif
