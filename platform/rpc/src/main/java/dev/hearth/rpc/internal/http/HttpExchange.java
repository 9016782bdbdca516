package dev.hearth.rpc.internal.http;

import dev.hearth.spi.http.HttpRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response on one connection. Owned by the channel's event loop; any thread may call
 * {@link #isOver}, to skip work whose result is no longer needed, and
 * {@link #reserveResponse}.
 */
final class HttpExchange {
    private final long number;
    private final long startedNanos;
    private @Nullable RequestHead head; // null if the request head could not be parsed
    private @Nullable Mount mount;
    private ForwardedHeaders.@Nullable Seen seen; // null unless the request is admitted
    private @Nullable RequestBody body;
    private long bodyBytesMax;
    private long bodyBytesTaken;
    private boolean whole;
    private int status;
    private long bytesSent;
    private volatile ResponseMemory.@Nullable Share memory; // null before the request goes to its handler
    private volatile boolean over;

    HttpExchange(long number, long startedNanos) {
        this.number = number;
        this.startedNanos = startedNanos;
    }

    long number() {
        return number;
    }

    long startedNanos() {
        return startedNanos;
    }

    Optional<RequestHead> head() {
        return Optional.ofNullable(head);
    }

    void read(RequestHead read) {
        head = read;
        whole = !read.hasBody();
    }

    void admit(RequestRouter.Admitted admitted, RequestHead read) {
        mount = admitted.mount();
        seen = admitted.seen();
        bodyBytesMax = admitted.bodyBytesMax();
        body = new RequestBody(read.contentLength());
    }

    /** The client as the server sees it; null unless the request is admitted. */
    ForwardedHeaders.@Nullable Seen seen() {
        return seen;
    }

    @Nullable
    Mount mount() {
        return mount;
    }

    @Nullable
    RequestBody body() {
        return body;
    }

    long bodyBytesMax() {
        return bodyBytesMax;
    }

    /** Whether the request, including its body, has arrived completely. */
    boolean isWhole() {
        return whole;
    }

    void arrived() {
        whole = true;
    }

    void reserve(int bytes) {
        bodyBytesTaken += bytes;
    }

    /**
     * Reserves {@code bytes} of memory for a response that is being sent. Returns false if there is no room for them.
     * Any thread.
     */
    boolean reserveResponse(long bytes) {
        return memory == null || memory.reserve(bytes);
    }

    /** Returns the number of bytes reserved for the request body, and sets it to 0. The caller must release them. */
    long takeReserved() {
        long bytes = bodyBytesTaken;
        bodyBytesTaken = 0;
        return bytes;
    }

    /**
     * Sets the part of the {@link ResponseMemory} that is reserved for the response of this exchange. It is released
     * when the exchange ends.
     */
    void use(ResponseMemory.Share share) {
        memory = share;
    }

    /**
     * Records that the client makes progress, so that it is not disconnected as stalled. Called when sending the
     * response begins, and whenever the client has read a part of it.
     */
    void progressed() {
        if (memory != null) {
            memory.progressed();
        }
    }

    boolean keepsAlive() {
        RequestHead read = head;
        return read != null && read.keepAlive() && whole;
    }

    void answer(int answered) {
        status = answered;
    }

    void sent(long bytes) {
        bytesSent += bytes;
    }

    int status() {
        return status;
    }

    long bytesSent() {
        return bytesSent;
    }

    boolean isOver() {
        return over;
    }

    void end() {
        over = true;
        body = null;
        if (memory != null) {
            memory.release();
        }
    }

    /**
     * Creates the request that a handler gets. With {@code showsToken}, the Authorization header is removed, because it
     * contains the token of this process.
     */
    static HttpRequest request(
            RequestHead head, Mount mount, RequestBody body, ForwardedHeaders.Seen seen, boolean showsToken) {
        Map<String, List<String>> headers = seen.headers();
        if (showsToken && headers.containsKey("authorization")) {
            headers = new LinkedHashMap<>(headers);
            headers.remove("authorization");
        }
        return new HttpRequest(
                head.method(),
                head.target().path(),
                mount.prefix(),
                head.target().query(),
                headers,
                body.take(),
                seen.remote(),
                seen.secure(),
                seen.client());
    }
}
