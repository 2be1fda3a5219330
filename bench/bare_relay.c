/* The least that any relay can do, in any language: a thread for each direction, which
 * is woken up in read and calls write. What `bare_relay.py` is in Python.
 *
 *     cc -O2 -pthread bare_relay.c -o bare_relay && ./bare_relay PORT
 *
 * Passes what comes to that port of this machine and back, and looks at none of it.
 * Prints its own port, then serves until it is killed.
 */

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PIECE = 64 * 1024 };

struct direction {
    int from, to;
};

static struct sockaddr_in here(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static void *pass(void *given)
{
    struct direction way = *(struct direction *)given;
    char *data = malloc(PIECE);
    ssize_t size;

    free(given);
    while ((size = read(way.from, data, PIECE)) > 0)
        for (ssize_t done = 0, wrote; done < size; done += wrote)
            if ((wrote = write(way.to, data + done, size - done)) <= 0)
                goto end;
end:
    shutdown(way.to, SHUT_WR);
    shutdown(way.from, SHUT_RD);
    free(data);
    return NULL; /* sockets are left open: a bench has few */
}

static void start(int from, int to)
{
    int yes = 1;
    struct direction *way = malloc(sizeof *way);
    pthread_t thread;

    *way = (struct direction){from, to};
    setsockopt(to, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (pthread_create(&thread, NULL, pass, way) == 0)
        pthread_detach(thread);
}

int main(int count, char **words)
{
    struct sockaddr_in upstream = here(count > 1 ? atoi(words[1]) : 0), own = here(0);
    socklen_t size = sizeof own;
    int listener = socket(AF_INET, SOCK_STREAM, 0);

    if (bind(listener, (struct sockaddr *)&own, sizeof own) || listen(listener, 16))
        return 1;
    getsockname(listener, (struct sockaddr *)&own, &size);
    printf("%d\n", ntohs(own.sin_port));
    fflush(stdout);
    for (;;) {
        int client = accept(listener, NULL, NULL);
        int service = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(service, (struct sockaddr *)&upstream, sizeof upstream))
            return 1;
        start(client, service);
        start(service, client);
    }
}
