// Times simdjson's DOM parse for the throughput bench, which keeps this program alive and sends it requests over a pipe:
//
//     name                        the implementation in use, which SIMDJSON_FORCE_IMPLEMENTATION can choose
//     load document|lines LENGTH  followed by LENGTH bytes: the text of the next requests; answers "loaded"
//     check                       the number of values in the text, -1 if it is invalid
//     time N                      nanoseconds that N checks take
//
// One line per answer. The parser and its memory are reused, as in an efficient program.
#include <simdjson.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <string>

namespace {

struct Text {
    simdjson::padded_string bytes;
    bool lines = false;
    size_t batch = 0;
};

int64_t check(simdjson::dom::parser &parser, const Text &text) {
    if (!text.lines) {
        return parser.parse(text.bytes).error() ? -1 : 1;
    }
    simdjson::dom::document_stream stream;
    if (parser.parse_many(text.bytes, text.batch).get(stream)) {
        return -1;
    }
    int64_t values = 0;
    for (auto document : stream) {
        if (document.error()) {
            return -1;
        }
        ++values;
    }
    // parse_many does not report a truncated value at the end as an error, only as remaining bytes.
    return stream.truncated_bytes() == 0 ? values : -1;
}

// A batch must hold the longest line; the default is simdjson's own.
size_t batch_size(const simdjson::padded_string &bytes) {
    size_t longest = 0, start = 0;
    for (size_t at = 0; at < bytes.size(); ++at) {
        if (bytes.data()[at] == '\n') {
            longest = std::max(longest, at - start);
            start = at + 1;
        }
    }
    return std::max(simdjson::dom::DEFAULT_BATCH_SIZE, longest + 64);
}

}  // namespace

int main() {
    std::ios::sync_with_stdio(false);
    simdjson::dom::parser parser;
    Text text;
    std::string question;
    while (std::cin >> question) {
        if (question == "name") {
            // The implementation is selected at first use.
            (void)parser.parse(simdjson::padded_string(std::string("[]")));
            std::cout << simdjson::get_active_implementation()->name() << std::endl;
        } else if (question == "load") {
            std::string kind;
            size_t length = 0;
            std::cin >> kind >> length;
            std::cin.get();
            text.bytes = simdjson::padded_string(length);
            if (!std::cin.read(text.bytes.data(), static_cast<std::streamsize>(length))) {
                return 1;
            }
            text.lines = kind == "lines";
            text.batch = batch_size(text.bytes);
            std::cout << "loaded" << std::endl;
        } else if (question == "check") {
            std::cout << check(parser, text) << std::endl;
        } else if (question == "time") {
            long iterations = 0;
            std::cin >> iterations;
            int64_t values = 0;
            const auto start = std::chrono::steady_clock::now();
            for (long at = 0; at < iterations; ++at) {
                values += check(parser, text);
            }
            const auto end = std::chrono::steady_clock::now();
            if (values < 0) {
                return 1;
            }
            std::cout << std::chrono::duration_cast<std::chrono::nanoseconds>(end - start).count() << std::endl;
        } else {
            return 2;
        }
    }
    return 0;
}
