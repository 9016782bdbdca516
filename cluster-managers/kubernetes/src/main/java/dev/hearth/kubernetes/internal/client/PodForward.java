package dev.hearth.kubernetes.internal.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.spi.error.Failures;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketHandshakeException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Connection to a port of a pod over a WebSocket to the API server, in the protocol of Kubernetes: the first byte of a
 * message is its channel, 0 for data and 1 for errors, and the first message of a channel is the number of the port. One
 * thread reads and writes; messages arrive on threads of the client.
 */
final class PodForward implements ApiServer.ForwardedPort, WebSocket.Listener {
    private static final String PROTOCOL = "v4.channel.k8s.io";
    private static final String CLOSED = "the API server ended the connection";
    private static final int DATA = 0;
    private static final int NORMAL_END = 1000;
    private static final int UNAUTHORIZED = 401;
    private static final int OPEN_SECONDS_MAX = 10;
    private static final int ANSWER_SECONDS_MAX = 60;
    private static final long QUEUE_LOOK_NANOS = 500_000;
    /** Mark that follows the last message; messages of the pod have content. */
    private static final ByteBuffer END = ByteBuffer.allocate(0);

    private final HttpConnections.Use use;
    private final String what;
    private final BlockingQueue<ByteBuffer> arrived = new LinkedBlockingQueue<>(); // bounded by the answers of the pod
    private final Answers in = new Answers();
    private final Messages out = new Messages();
    private final boolean[] begun = new boolean[2]; // by channel; used by the thread of the client alone
    private volatile String problem = "";
    private @Nullable WebSocket socket; // set before the connection is given out

    private PodForward(HttpConnections.Use use, String what) {
        this.use = use;
        this.what = what;
    }

    /** Opens a connection; {@code address} is that of the pod's subresource with its query. Blocks. */
    static PodForward open(HttpConnections connections, String address, String what) throws IOException {
        try {
            HttpConnections.Use use = connections.use().toCompletableFuture().get();
            try {
                return open(use, address, what);
            } catch (IOException failure) {
                if (!isUnauthenticated(failure)) {
                    throw failure;
                }
                Optional<HttpConnections.Use> newer =
                        connections.useAfter(use).toCompletableFuture().get();
                return open(newer.orElseThrow(() -> failure), address, what);
            }
        } catch (ExecutionException withoutCredentials) {
            throw new IOException(what + ": " + words(withoutCredentials), withoutCredentials);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw new IOException(what + ": interrupted", ended);
        }
    }

    private static PodForward open(HttpConnections.Use use, String address, String what)
            throws IOException, InterruptedException {
        PodForward forward = new PodForward(use, what);
        boolean opened = false;
        try {
            forward.socket = use.authorize(use.http()
                            .newWebSocketBuilder()
                            .uri(WebSocket.toWebSocketUri(URI.create(address)))
                            .subprotocol(PROTOCOL)
                            .connectTimeout(OPEN_SECONDS_MAX, TimeUnit.SECONDS))
                    .buildAsync(forward)
                    .get(OPEN_SECONDS_MAX, TimeUnit.SECONDS);
            opened = true;
            return forward;
        } catch (ExecutionException failure) {
            throw new IOException(what + ": " + words(failure), failure);
        } catch (TimeoutException late) {
            throw new IOException(what + ": no connection within " + OPEN_SECONDS_MAX + " s", late);
        } finally {
            if (!opened) {
                use.close();
            }
        }
    }

    private static boolean isUnauthenticated(IOException failure) {
        return failure.getCause() instanceof ExecutionException refused
                && Failures.unwrap(refused) instanceof WebSocketHandshakeException handshake
                && handshake.getResponse().code() == UNAUTHORIZED;
    }

    /** The reason, without the name of a class: the user reads it. */
    private static String words(Throwable failure) {
        Throwable cause = Failures.unwrap(failure);
        if (cause instanceof WebSocketHandshakeException handshake) {
            return "HTTP status " + handshake.getResponse().code();
        }
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    @Override
    public InputStream in() {
        return in;
    }

    @Override
    public OutputStream out() {
        return out;
    }

    @Override
    public void onMessage(WebSocket from, ByteBuffer message) {
        if (message.remaining() > 0) {
            int channel = message.get();
            if (channel < 0 || channel >= begun.length) {
                end("a message on channel " + channel);
            } else if (!begun[channel]) {
                begun[channel] = true; // the number of the port
            } else if (channel == DATA && message.hasRemaining()) {
                ByteBuffer copy = ByteBuffer.allocate(message.remaining());
                arrived.add(copy.put(message).flip());
            } else if (channel != DATA) {
                byte[] words = new byte[message.remaining()];
                message.get(words);
                end(new String(words, UTF_8).strip());
            }
        }
        from.request();
    }

    @Override
    public void onClose(WebSocket from, int code, String reason) {
        end(reason.isEmpty() ? CLOSED : reason);
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
        end(error instanceof InternalError ? CLOSED : Failures.describe(error)); // of Java's client, at a sudden end
    }

    private void end(String why) {
        if (problem.isEmpty()) {
            problem = why;
        }
        arrived.add(END);
    }

    private WebSocket open() throws IOException {
        WebSocket opened = socket;
        if (opened == null || !problem.isEmpty()) {
            throw new IOException(what + ": " + problem);
        }
        return opened;
    }

    @Override
    public void close() {
        WebSocket opened = socket;
        if (opened != null) {
            opened.sendClose(NORMAL_END, "");
        }
        use.close();
    }

    /** Bytes that the pod has sent. */
    private final class Answers extends InputStream {
        private ByteBuffer current = ByteBuffer.allocate(0);

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int from, int count) throws IOException {
            while (count > 0 && !current.hasRemaining()) {
                try {
                    ByteBuffer next = arrived.poll(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
                    if (next == null) {
                        throw new IOException(what + ": no answer within " + ANSWER_SECONDS_MAX + " s");
                    }
                    if (!next.hasRemaining()) {
                        arrived.add(END); // for the next read
                        throw new IOException(what + ": " + problem);
                    }
                    current = next;
                } catch (InterruptedException ended) {
                    Thread.currentThread().interrupt();
                    throw new IOException(what + ": interrupted", ended);
                }
            }
            int read = Math.min(count, current.remaining());
            current.get(bytes, from, read);
            return read;
        }
    }

    /** Bytes for the pod, each write as one message. */
    private final class Messages extends OutputStream {
        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            WebSocket opened = open();
            while (opened.queueSize() > 0) { // the client takes one message at a time, and reports no end of it
                LockSupport.parkNanos(QUEUE_LOOK_NANOS);
                opened = open();
            }
            ByteBuffer message = ByteBuffer.allocate(count + 1);
            message.put((byte) DATA).put(bytes, from, count).flip();
            if (!opened.send(message)) {
                throw new IOException(what + ": the connection is closed " + problem);
            }
        }
    }
}
