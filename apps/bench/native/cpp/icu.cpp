// icu OPERATION FROM [TO]: ICU's converters, opened once, which stop at malformed input.
#include <unicode/ucnv.h>
#include <unicode/ucnv_err.h>
#include <unicode/uvernum.h>
#include "serve.h"

namespace {

using Units = std::optional<Result<char16_t>>;
using Bytes = std::optional<Result<char>>;

UConverter *open(const std::string &name) {
  UErrorCode code = U_ZERO_ERROR;
  UConverter *converter = ucnv_open(name.c_str(), &code);
  ucnv_setToUCallBack(converter, UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &code);
  ucnv_setFromUCallBack(converter, UCNV_FROM_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &code);
  if (U_FAILURE(code)) {
    std::cerr << "ICU has no " << name << '\n';
    std::exit(2);
  }
  return converter;
}

}  // namespace

int main(int count, char **words) {
  const std::string operation = count > 1 ? words[1] : "";
  const std::string from = count > 2 ? words[2] : "";
  const std::string to = count > 3 ? words[3] : "";
  UConverter *const converter = open(from);
  if (operation == "decode") {
    return serve(U_ICU_VERSION, same, [=](const std::string &bytes) -> Units {
      // There are never more code units than bytes.
      const std::size_t room = bytes.size() + 1;
      std::unique_ptr<char16_t[]> units(new char16_t[room]);
      UErrorCode code = U_ZERO_ERROR;
      const auto length =
          ucnv_toUChars(converter, units.get(), room, bytes.data(), bytes.size(), &code);
      if (U_FAILURE(code)) return std::nullopt;
      return Result<char16_t>{std::move(units), static_cast<std::size_t>(length)};
    });
  }
  if (operation == "encode") {
    return serve(U_ICU_VERSION, units_of, [=](const std::u16string &units) -> Bytes {
      const std::size_t room = units.size() * 3 + 1;
      std::unique_ptr<char[]> bytes(new char[room]);
      UErrorCode code = U_ZERO_ERROR;
      const auto length =
          ucnv_fromUChars(converter, bytes.get(), room, units.data(), units.size(), &code);
      if (U_FAILURE(code)) return std::nullopt;
      return Result<char>{std::move(bytes), static_cast<std::size_t>(length)};
    });
  }
  if (operation == "transcode") {
    UConverter *const target = open(to);
    return serve(U_ICU_VERSION, same, [=](const std::string &bytes) -> Bytes {
      // Four bytes of UTF-8 become six of CESU-8 at most.
      const std::size_t room = bytes.size() / 2 * 3 + 3;
      std::unique_ptr<char[]> result(new char[room]);
      const char *source = bytes.data();
      char *end = result.get();
      UErrorCode code = U_ZERO_ERROR;
      ucnv_convertEx(target, converter, &end, end + room, &source, source + bytes.size(), nullptr,
                     nullptr, nullptr, nullptr, true, true, &code);
      if (U_FAILURE(code)) return std::nullopt;
      const std::size_t length = end - result.get();
      return Result<char>{std::move(result), length};
    });
  }
  std::cerr << "no such operation: " << operation << '\n';
  return 2;
}
