#include "TioPort.hh"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace TioBase {

namespace {

const size_t kMostBytes = 1 << 20; // of a line
const size_t kMostDigits = 4000;
const int kMostLevels = 64;

// ---- time

long long g_zero = 0;

long long monotonicNanos() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

INTEGER integerOf(long long value) {
  INTEGER result;
  result.set_long_long_val(value);
  return result;
}

// ---- writing JSON

std::string utf8(const UNIVERSAL_CHARSTRING& text) {
  TTCN_Buffer buffer;
  text.encode_utf8(buffer);
  return std::string(reinterpret_cast<const char*>(buffer.get_data()), buffer.get_len());
}

UNIVERSAL_CHARSTRING fromUtf8(const std::string& text) {
  UNIVERSAL_CHARSTRING result;
  result.decode_utf8(static_cast<int>(text.size()), reinterpret_cast<const unsigned char*>(text.data()));
  return result;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned char c = static_cast<unsigned char>(text[i]);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += text[i];
    } else if (c < 0x20) {
      char code[8];
      snprintf(code, sizeof code, "\\u%04x", c);
      result += code;
    } else {
      result += text[i];
    }
  }
  return result + "\"";
}

std::string digits(const INTEGER& value) {
  return std::string(static_cast<const char*>(int2str(value)));
}

std::string fraction(const TioReal& value) {
  std::string text = digits(value.num());
  return value.den() == 1 ? text : text + "/" + digits(value.den());
}

std::string json(const TioValue& value) {
  switch (value.get_selection()) {
  case TioValue::ALT_flag:
    return value.flag() ? "true" : "false";
  case TioValue::ALT_number: {
    // What a double cannot hold goes as a string.
    std::string text = fraction(value.number());
    return value.number().den() == 1 && text.size() <= 15 ? text : quoted(text);
  }
  case TioValue::ALT_text:
    return quoted(utf8(value.text()));
  case TioValue::ALT_list: {
    std::string text;
    for (int i = 0; i < value.list().size_of(); ++i)
      text += (i ? "," : "") + json(value.list()[i]);
    return "[" + text + "]";
  }
  default: {
    std::string text;
    for (int i = 0; i < value.fields().size_of(); ++i)
      text += (i ? "," : "") + quoted(utf8(value.fields()[i].name())) + ":" + json(value.fields()[i].item());
    return "{" + text + "}";
  }
  }
}

// ---- reading JSON

// Reads `-12`, `0.25` or `1/3`; false for anything else.
bool readNumber(const std::string& text, TioReal& value) {
  size_t i = !text.empty() && text[0] == '-' ? 1 : 0;
  std::string top = text.substr(0, i), bottom = "1";
  size_t whole = 0;
  for (; i < text.size() && isdigit(text[i]); ++i, ++whole)
    top += text[i];
  if (whole == 0 || text.size() > kMostDigits)
    return false;
  if (i < text.size() && text[i] == '.') {
    for (++i; i < text.size() && isdigit(text[i]); ++i) {
      top += text[i];
      bottom += '0';
    }
  } else if (i < text.size() && text[i] == '/') {
    bottom = text.substr(++i);
    for (; i < text.size() && isdigit(text[i]); ++i) {
    }
    if (bottom.find_first_not_of('0') == std::string::npos)
      return false;
  }
  if (i != text.size())
    return false;
  value = f__real(INTEGER(top.c_str()), INTEGER(bottom.c_str()));
  return true;
}

// A JSON text. Numbers, and strings that are numbers, become numbers: literals of enumerations never look like them.
class Reader {
public:
  explicit Reader(const std::string& text) : text_(text), at_(0) {}

  bool document(TioValue& value) {
    if (!read(value, 0))
      return false;
    space();
    return at_ == text_.size();
  }

private:
  void space() {
    while (at_ < text_.size() && strchr(" \t\r\n", text_[at_]))
      ++at_;
  }
  bool take(char c) {
    space();
    if (at_ == text_.size() || text_[at_] != c)
      return false;
    ++at_;
    return true;
  }
  bool word(const char* expected) {
    size_t size = strlen(expected);
    if (text_.compare(at_, size, expected) != 0)
      return false;
    at_ += size;
    return true;
  }

  bool read(TioValue& value, int level) {
    space();
    if (at_ == text_.size() || level == kMostLevels)
      return false;
    switch (text_[at_]) {
    case '{':
      return fields(value.fields(), level);
    case '[':
      return list(value.list(), level);
    case '"': {
      std::string text;
      TioReal number;
      if (!string(text))
        return false;
      if (readNumber(text, number))
        value.number() = number;
      else
        value.text() = fromUtf8(text);
      return true;
    }
    case 't':
      value.flag() = TRUE;
      return word("true");
    case 'f':
      value.flag() = FALSE;
      return word("false");
    default: {
      size_t begin = at_;
      while (at_ < text_.size() && (isdigit(text_[at_]) || strchr("-.", text_[at_])))
        ++at_;
      TioReal number;
      if (!readNumber(text_.substr(begin, at_ - begin), number))
        return false;
      value.number() = number;
      return true;
    }
    }
  }

  bool list(TioValues& values, int level) {
    values.set_size(0);
    take('[');
    if (take(']'))
      return true;
    do {
      TioValue value;
      if (!read(value, level + 1))
        return false;
      values[values.size_of()] = value;
    } while (take(','));
    return take(']');
  }

  bool fields(TioFields& fields, int level) {
    fields.set_size(0);
    take('{');
    if (take('}'))
      return true;
    do {
      space();
      TioField field;
      std::string name;
      if (!string(name) || !take(':') || !read(field.item(), level + 1))
        return false;
      field.name() = fromUtf8(name);
      fields[fields.size_of()] = field;
    } while (take(','));
    return take('}');
  }

  bool string(std::string& result) {
    if (!take('"'))
      return false;
    while (at_ < text_.size() && text_[at_] != '"') {
      char c = text_[at_++];
      if (c != '\\') {
        result += c;
        continue;
      }
      if (at_ == text_.size())
        return false;
      c = text_[at_++];
      static const char kFrom[] = "\"\\/bfnrt", kTo[] = "\"\\/\b\f\n\r\t";
      if (c == 'u') {
        if (!escape(result))
          return false;
      } else if (const char* known = strchr(kFrom, c)) {
        result += kTo[known - kFrom];
      } else {
        return false;
      }
    }
    return take('"');
  }

  bool hex(unsigned long& code) {
    if (at_ + 4 > text_.size() || text_.find_first_not_of("0123456789abcdefABCDEF", at_) < at_ + 4)
      return false;
    code = strtoul(text_.substr(at_, 4).c_str(), NULL, 16);
    at_ += 4;
    return true;
  }

  bool escape(std::string& result) {
    unsigned long code, low;
    if (!hex(code))
      return false;
    if (code >= 0xD800 && code < 0xDC00) {
      if (!word("\\u") || !hex(low) || low < 0xDC00 || low > 0xDFFF)
        return false;
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    if (code < 0x80) {
      result += static_cast<char>(code);
    } else if (code < 0x800) {
      result += static_cast<char>(0xC0 | code >> 6);
      result += static_cast<char>(0x80 | (code & 0x3F));
    } else {
      if (code < 0x10000) {
        result += static_cast<char>(0xE0 | code >> 12);
      } else {
        result += static_cast<char>(0xF0 | code >> 18);
        result += static_cast<char>(0x80 | (code >> 12 & 0x3F));
      }
      result += static_cast<char>(0x80 | (code >> 6 & 0x3F));
      result += static_cast<char>(0x80 | (code & 0x3F));
    }
    return true;
  }

  const std::string& text_;
  size_t at_;
};

const TioValue* member(const TioValue& object, const char* name) {
  if (object.get_selection() != TioValue::ALT_fields)
    return NULL;
  for (int i = 0; i < object.fields().size_of(); ++i)
    if (object.fields()[i].name() == name)
      return &object.fields()[i].item();
  return NULL;
}

} // namespace

// The function of TioBase that tells the time.
INTEGER fx__nanos() {
  return integerOf(monotonicNanos() - g_zero);
}

// ---- the port

TioPort::TioPort(const char* name) : TioPort_BASE(name), address_("127.0.0.1:4711"), fd_(-1) {}

TioPort::~TioPort() {
  close();
}

void TioPort::set_parameter(const char* name, const char* value) {
  if (strcmp(name, "address") == 0)
    address_ = value;
  else
    TTCN_warning("TioPort has no parameter %s.", name);
}

void TioPort::user_map(const char*, Map_Params&) {
  size_t colon = address_.rfind(':');
  if (colon == std::string::npos)
    TTCN_error("The address '%s' is not HOST:PORT.", address_.c_str());
  addrinfo wanted = addrinfo();
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = NULL;
  if (int error = getaddrinfo(address_.substr(0, colon).c_str(), address_.substr(colon + 1).c_str(), &wanted, &found))
    TTCN_error("%s: %s.", address_.c_str(), gai_strerror(error));
  for (addrinfo* one = found; one && fd_ < 0; one = one->ai_next) {
    fd_ = socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd_ >= 0 && connect(fd_, one->ai_addr, one->ai_addrlen) != 0) {
      ::close(fd_);
      fd_ = -1;
    }
  }
  freeaddrinfo(found);
  if (fd_ < 0)
    TTCN_error("No connection to %s: %s.", address_.c_str(), strerror(errno));
  int on = 1;
  setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  received_.clear();
  Handler_Add_Fd_Read(fd_);
}

void TioPort::user_unmap(const char*, Map_Params&) {
  close();
}

void TioPort::close() {
  if (fd_ < 0)
    return;
  Handler_Remove_Fd(fd_);
  ::close(fd_);
  fd_ = -1;
}

void TioPort::trouble(const std::string& what) {
  close();
  TioTrouble message;
  message.what() = fromUtf8(what);
  incoming_message(message);
}

void TioPort::write(const std::string& line) {
  std::string text = line + "\n";
  for (size_t sent = 0; fd_ >= 0 && sent < text.size();) {
    ssize_t count = ::send(fd_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (count >= 0)
      sent += static_cast<size_t>(count);
    else if (errno != EINTR)
      return trouble(std::string("the system takes no lines: ") + strerror(errno));
  }
}

void TioPort::outgoing_send(const TioStart& start) {
  write("{\"start\":\"tio/1\",\"time\":\"real\",\"unit\":" + quoted(fraction(start.unit())) + "}");
}

void TioPort::outgoing_send(const TioInput& input) {
  TioValue arguments;
  arguments.list() = input.args();
  write("{\"input\":" + quoted(utf8(input.channel())) + ",\"args\":" + json(arguments) + ",\"at\":" +
        quoted(fraction(input.at__())) + "}");
}

void TioPort::Handle_Fd_Event_Readable(int fd) {
  char buffer[4096];
  ssize_t count = recv(fd, buffer, sizeof buffer, 0);
  if (count < 0 && (errno == EINTR || errno == EAGAIN))
    return;
  if (count <= 0)
    return trouble("the system closed the connection");
  received_.append(buffer, static_cast<size_t>(count));
  for (size_t end = received_.find('\n'); end != std::string::npos && fd_ >= 0; end = received_.find('\n')) {
    std::string line = received_.substr(0, end);
    received_.erase(0, end + 1);
    hear(line);
  }
  if (received_.size() > kMostBytes)
    trouble("the system sent a line that is too long");
}

void TioPort::hear(const std::string& line) {
  long long now = monotonicNanos();
  TioValue said;
  if (!Reader(line).document(said))
    return trouble("the system sent no JSON: " + line.substr(0, 200));
  const TioValue* name = member(said, "output");
  const TioValue* arguments = member(said, "args");
  if (member(said, "ready")) {
    g_zero = now;
    TioReady ready;
    ready.nanos() = 0;
    incoming_message(ready);
  } else if (name && name->get_selection() == TioValue::ALT_text &&
             (!arguments || arguments->get_selection() == TioValue::ALT_list)) {
    TioOutput output;
    output.channel() = name->text();
    if (arguments)
      output.args() = arguments->list();
    else
      output.args().set_size(0);
    output.nanos() = integerOf(now - g_zero);
    incoming_message(output);
  } else {
    trouble("the system says: " + line.substr(0, 200));
  }
}

} // namespace TioBase
