package dev.hearth.itests.endtoend;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A client that sends requests for pods without any effect, several at once, and heeds no refusal, until it is closed. */
final class RequestFlood implements AutoCloseable {
    private static final int REFUSED = 429;

    private final LabApi api;
    private final String path;
    private final CompletableFuture<?>[] chains;
    private final AtomicInteger served = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private volatile boolean closed;

    RequestFlood(LabApi api, String namespace, int parallel) {
        this.api = api;
        this.path = "/api/v1/namespaces/" + namespace + "/pods?dryRun=All";
        this.chains = new CompletableFuture<?>[parallel];
        for (int i = 0; i < parallel; i++) {
            chains[i] = next("flood-" + i);
        }
    }

    private CompletableFuture<?> next(String name) {
        String pod = "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"" + name
                + "\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"none\"}]}}";
        return api.post(path, pod)
                .handle((status, failure) -> {
                    if (failure == null) {
                        (status == REFUSED ? refused : served).incrementAndGet();
                    }
                    return closed;
                })
                .thenCompose(ends -> ends ? CompletableFuture.completedFuture(null) : next(name));
    }

    /** Requests of this client that the server refused because there were too many. */
    int refused() {
        return refused.get();
    }

    /** Other requests that the server has answered. */
    int served() {
        return served.get();
    }

    @Override
    public void close() {
        closed = true;
        CompletableFuture.allOf(chains).join();
    }
}
