// The protocol of both C++ programs. See ../README.md.
#pragma once
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// Memory that is not cleared first: a std::string would be written twice.
template <class Unit>
struct Result {
  std::unique_ptr<Unit[]> units;
  std::size_t length;
};

inline std::string bytes_of(bool valid) { return std::string(1, valid ? 1 : 0); }

// UTF-16 in the machine's order, which is little-endian wherever this runs.
template <class Unit>
std::string bytes_of(const Result<Unit> &result) {
  return {reinterpret_cast<const char *>(result.units.get()), result.length * sizeof(Unit)};
}

// The result escapes, so that no compiler drops the call.
template <class Output>
void keep(const Output &output) {
  asm volatile("" : : "r"(&output) : "memory");
}

inline std::u16string units_of(const std::string &bytes) {
  std::u16string units(bytes.size() / 2, 0);
  std::memcpy(units.data(), bytes.data(), bytes.size());
  return units;
}

inline std::string same(const std::string &bytes) { return bytes; }

// A file is its records, each after its length: four bytes, little-endian.
inline std::vector<std::string> read_records(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  std::string file{std::istreambuf_iterator<char>(stream), {}};
  std::vector<std::string> list;
  for (std::size_t at = 0; at + 4 <= file.size();) {
    std::uint32_t length;
    std::memcpy(&length, file.data() + at, 4);
    list.push_back(file.substr(at + 4, length));
    at += 4 + length;
  }
  return list;
}

// Answers commands until stdin ends. `once` returns nothing where it refuses its input.
template <class Read, class Once>
int serve(const std::string &about, Read read, Once once) {
  std::vector<decltype(read(std::string()))> inputs;
  std::size_t next = 0;
  std::cout << "ready " << about << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    const auto space = line.find(' ');
    const auto command = line.substr(0, space);
    const auto argument = space == std::string::npos ? "" : line.substr(space + 1);
    if (command == "load") {
      inputs.clear();
      for (const auto &record : read_records(argument)) inputs.push_back(read(record));
      next = 0;
      std::cout << "loaded " << inputs.size() << std::endl;
    } else if (command == "check") {
      // The length of all outputs together, and their FNV-1a.
      std::size_t length = 0, index = 0;
      std::uint32_t hash = 0x811c9dc5;
      for (; index < inputs.size(); index++) {
        const auto output = once(inputs[index]);
        if (!output) break;
        const auto bytes = bytes_of(*output);
        length += bytes.size();
        for (const unsigned char byte : bytes) hash = (hash ^ byte) * 0x01000193;
      }
      if (index < inputs.size()) {
        std::cout << "refuses " << index << std::endl;
      } else {
        char hex[9];
        std::snprintf(hex, sizeof hex, "%08x", hash);
        std::cout << "gives " << length << ' ' << hex << std::endl;
      }
    } else if (command == "time") {
      const auto calls = std::stoull(argument);
      const auto start = std::chrono::steady_clock::now();
      for (auto i = calls; i > 0; i--) {
        if (next == inputs.size()) next = 0;
        keep(once(inputs[next++]));
      }
      const auto took = std::chrono::steady_clock::now() - start;
      std::cout << "took " << std::chrono::duration_cast<std::chrono::nanoseconds>(took).count()
                << std::endl;
    } else {
      std::cerr << "unknown command " << line << '\n';
      return 2;
    }
  }
  return 0;
}
