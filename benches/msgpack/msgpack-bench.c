/* Times msgpuck and msgpack-c for the MessagePack bench, which keeps this program alive and sends it requests over a pipe:
 *
 *     integers N V...       the unsigned integers of the next requests; answers "loaded"
 *     doubles N B...        the same for doubles, by their bits
 *     write LIBRARY         the bytes that LIBRARY (msgpuck, msgpack-c) writes, in hexadecimal
 *     time LIBRARY N        the nanoseconds that writing them N times takes
 *
 * One line per answer. The buffer is allocated once; both write into it from its start.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <msgpack.h>
#include <msgpuck.h>

enum { MOST = 1000 };

static uint64_t values[MOST];
static size_t count;
static int doubles;
static char room[9 * MOST];

static double as_double(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static size_t with_msgpuck(void) {
    char *end = room;
    if (doubles) {
        for (size_t at = 0; at < count; ++at) {
            end = mp_encode_double(end, as_double(values[at]));
        }
    } else {
        for (size_t at = 0; at < count; ++at) {
            end = mp_encode_uint(end, values[at]);
        }
    }
    return (size_t)(end - room);
}

/* Like msgpack_sbuffer_write, without its allocation. */
static size_t filled;

static int append(void *data, const char *bytes, size_t length) {
    (void)data;
    memcpy(room + filled, bytes, length);
    filled += length;
    return 0;
}

static size_t with_msgpack_c(void) {
    msgpack_packer packer;
    msgpack_packer_init(&packer, NULL, append);
    filled = 0;
    for (size_t at = 0; at < count; ++at) {
        if (doubles) {
            msgpack_pack_double(&packer, as_double(values[at]));
        } else {
            msgpack_pack_uint64(&packer, values[at]);
        }
    }
    return filled;
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int main(void) {
    char word[20], library[20];
    while (scanf("%19s", word) == 1) {
        if (strcmp(word, "integers") == 0 || strcmp(word, "doubles") == 0) {
            doubles = word[0] == 'd';
            if (scanf("%zu", &count) != 1 || count > MOST) {
                return 1;
            }
            for (size_t at = 0; at < count; ++at) {
                if (scanf("%" SCNu64, &values[at]) != 1) {
                    return 1;
                }
            }
            puts("loaded");
        } else if (scanf("%19s", library) == 1) {
            size_t (*fill)(void) = strcmp(library, "msgpuck") == 0 ? with_msgpuck : with_msgpack_c;
            if (strcmp(word, "write") == 0) {
                size_t length = fill();
                for (size_t at = 0; at < length; ++at) {
                    printf("%02x", (unsigned char)room[at]);
                }
                puts("");
            } else {
                long repetitions;
                if (scanf("%ld", &repetitions) != 1) {
                    return 1;
                }
                int64_t start = now();
                for (long at = 0; at < repetitions; ++at) {
                    size_t length = fill();
                    /* Keeps the compiler from removing the writes. */
                    __asm__ volatile("" : : "r"(room), "r"(length) : "memory");
                }
                printf("%" PRId64 "\n", now() - start);
            }
        } else {
            return 2;
        }
        fflush(stdout);
    }
    return 0;
}
