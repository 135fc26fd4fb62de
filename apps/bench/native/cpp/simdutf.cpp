// simdutf OPERATION utf-8, as its README calls it: first the length, then the conversion.
#include "simdutf.h"
#include "serve.h"

using Units = std::optional<Result<char16_t>>;
using Bytes = std::optional<Result<char>>;

int main(int count, char **words) {
  const std::string operation = count > 1 ? words[1] : "";
  const std::string about =
      std::string(SIMDUTF_VERSION) + " (" + simdutf::get_active_implementation()->name() + ")";
  if (operation == "decode") {
    return serve(about, same, [](const std::string &bytes) -> Units {
      const auto wanted = simdutf::utf16_length_from_utf8(bytes.data(), bytes.size());
      std::unique_ptr<char16_t[]> units(new char16_t[wanted]);
      const auto length = simdutf::convert_utf8_to_utf16le(bytes.data(), bytes.size(), units.get());
      if (length == 0 && !bytes.empty()) return std::nullopt;
      return Result<char16_t>{std::move(units), length};
    });
  }
  if (operation == "encode") {
    return serve(about, units_of, [](const std::u16string &units) -> Bytes {
      const auto wanted = simdutf::utf8_length_from_utf16le(units.data(), units.size());
      std::unique_ptr<char[]> bytes(new char[wanted]);
      const auto length = simdutf::convert_utf16le_to_utf8(units.data(), units.size(), bytes.get());
      if (length == 0 && !units.empty()) return std::nullopt;
      return Result<char>{std::move(bytes), length};
    });
  }
  if (operation == "validate") {
    return serve(about, same, [](const std::string &bytes) {
      return std::optional<bool>(simdutf::validate_utf8(bytes.data(), bytes.size()));
    });
  }
  std::cerr << "no such operation: " << operation << '\n';
  return 2;
}
