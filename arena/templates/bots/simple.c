/* A bot for the arena in C, with the standard library only.
 *
 *     cc -O2 -o simple-c examples/bots/simple.c
 *     arena check-bot ./simple-c
 *     arena run rules cmd:./simple-c
 *
 * Passes whenever it may, else makes the legal move that the seed of the question picks.
 * docs/protocol.md describes the protocol: one JSON object per line.
 */

#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns what follows the white space. */
static const char *space(const char *at) {
    return at + strspn(at, " \t\r\n");
}

/* Returns what follows a JSON value, which may be nested. */
static const char *skip(const char *at) {
    int depth = 0;
    do {
        at = space(at);
        if (*at == '"') {
            for (at++; *at && *at != '"'; at++)
                at += *at == '\\' && at[1];
            at += *at == '"';
        } else if (*at == '{' || *at == '[') {
            depth++, at++;
        } else if (*at == '}' || *at == ']') {
            depth--, at++;
        } else if (*at == ',' || *at == ':') {
            at++;
        } else {
            size_t length = strcspn(at, ",:]} \t\r\n");
            if (length == 0) return at; /* the line is over */
            at += length;
        }
    } while (depth > 0);
    return at;
}

/* Returns the value of a key of the object that begins at `at`, or NULL. */
static const char *get(const char *at, const char *key) {
    size_t length = strlen(key);
    at = space(at);
    if (*at != '{') return NULL;
    at = space(at + 1);
    while (*at == '"') {
        int found = strncmp(at + 1, key, length) == 0 && at[length + 1] == '"';
        at = space(skip(at));
        if (*at != ':') return NULL;
        at = space(at + 1);
        if (found) return at;
        at = space(skip(at));
        if (*at != ',') return NULL;
        at = space(at + 1);
    }
    return NULL;
}

/* Tests if a value is this text. */
static int is(const char *value, const char *text) {
    size_t length = strlen(text);
    return value && *value == '"' && strncmp(value + 1, text, length) == 0 && value[length + 1] == '"';
}

/* Answers one question on a line of its own. */
static void answer(const char *question) {
    const char *id = get(question, "id"), *seed = get(question, "seed");
    const char *legal = get(question, "legal"), *chosen = NULL;
    if (!id || !seed || !legal) return;
    /* The last eight digits of the seed: the same question is always answered alike. */
    unsigned long random = strlen(seed) > 16 ? strtoul(seed + 9, NULL, 16) : 0, count = 0;
    for (int round = 0; round < 2 && !chosen; round++) {
        unsigned long pick = count ? random % count : 0, number = 0;
        for (const char *at = space(legal + 1); *at == '"'; number++) {
            if (is(at, "P") || (round == 1 && number == pick)) {
                chosen = at;
                break;
            }
            at = space(skip(at));
            if (*at == ',') at = space(at + 1);
        }
        count = number;
    }
    if (!chosen) return;
    printf("{\"type\":\"move\",\"id\":%.*s,\"move\":%.*s}\n", (int)(skip(id) - id), id,
           (int)(skip(chosen) - chosen), chosen);
    fflush(stdout); /* a pipe is not flushed at the end of a line */
}

int main(void) {
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) >= 0) {
        const char *type = get(line, "type"), *go = get(line, "go");
        if (is(type, "hello")) {
            puts("{\"type\":\"hello\",\"protocol\":1,\"name\":\"simple-c\",\"batch\":256}");
            fflush(stdout);
        } else if (is(type, "start")) {
            puts("{\"type\":\"ready\"}");
            fflush(stdout);
        } else if (is(type, "batch") && go) {
            for (go = space(go + 1); *go == '{';) {
                answer(go);
                go = space(skip(go));
                if (*go == ',') go = space(go + 1);
            }
        } else if (is(type, "quit")) {
            break;
        } /* anything else is for a later version */
    }
    free(line);
    return 0;
}
