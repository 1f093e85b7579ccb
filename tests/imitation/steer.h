/* SPDX-License-Identifier: Apache-2.0
 *
 * steer.h: the libraries of vendors that the tests build do what an environment variable says, one for each library:
 *
 *     RUNG_FAKE_CUDA="driver=13000;cuInit=802;device=NVIDIA A100|8.0|42505273344|GPU-1|0000:3b:00.0;device=..."
 *
 * The name of an entry gives what it returns: a number, or `hang`, `crash` or `exit`, which it then does. Before it
 * hangs it writes a byte to the descriptor that RUNG_FAKE_HANGS names. Whatever it does, errno is another. Other keys
 * are told in each library's file.
 */
#ifndef STEER_H
#define STEER_H

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The nth value (0, 1, ...) of a key, "" and 0 when there are fewer. */
static inline int steer_value(const char *variable, const char *key, unsigned nth, char *out, size_t size)
{
    const char *at = getenv(variable);
    size_t len = strlen(key);
    out[0] = '\0';
    while (at != NULL && *at != '\0') {
        size_t part = strcspn(at, ";");
        if (strncmp(at, key, len) == 0 && at[len] == '=' && part > len && nth-- == 0) {
            size_t n = part - len - 1 < size - 1 ? part - len - 1 : size - 1;
            memcpy(out, at + len + 1, n);
            out[n] = '\0';
            return 1;
        }
        at += part + (at[part] == ';');
    }
    return 0;
}

/* The nth field of "a|b|c"; "" when there are fewer. */
static inline void steer_field(const char *text, unsigned nth, char *out, size_t size)
{
    while (nth > 0 && *text != '\0') {
        text += strcspn(text, "|");
        text += *text == '|';
        nth--;
    }
    size_t n = strcspn(text, "|");
    n = n < size - 1 ? n : size - 1;
    memcpy(out, text, n);
    out[n] = '\0';
}

/* What an entry returns, `otherwise` unless it is steered. */
static inline int steer_entry(const char *variable, const char *entry, int otherwise)
{
    char value[32];
    errno = EBADMSG;
    if (!steer_value(variable, entry, 0, value, sizeof value))
        return otherwise;
    if (strcmp(value, "hang") == 0) {
        const char *tell = getenv("RUNG_FAKE_HANGS");
        ssize_t told = tell == NULL ? 0 : write(atoi(tell), "", 1);
        while (told <= 1)
            pause();
    }
    if (strcmp(value, "crash") == 0)
        raise(SIGSEGV);
    if (strcmp(value, "exit") == 0)
        exit(3);
    return (int)strtol(value, NULL, 0);
}

#endif
