package dev.hearth.spi.rpc;

import dev.hearth.spi.settings.Problems;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;

/**
 * Limits on what a process accepts from others. Read from {@code hearth.rpc.*} and {@code hearth.rest.*}. {@code
 * unauthenticatedMax} is 0 if not set: the message system then derives it from {@code connectionsMax} and the limit of
 * open files. {@code httpResponseBytesMax} is 0 if not set: it is then derived from the heap size. Immutable.
 */
public record RpcLimits(
        int messageBytesMax,
        int asksPerPeerMax,
        int connectionsMax,
        int handshakesMax,
        int unauthenticatedMax,
        int httpBodyBytesMax,
        long httpResponseBytesMax,
        int ioThreads,
        int sharedThreads) {
    private static final int MEBIBYTE = 1024 * 1024;
    private static final int MESSAGE_MEBIBYTES_MAX = 1024;
    private static final int THREADS_MAX = 256;

    private static final SettingKey<Integer> MESSAGE_MAX_SIZE = SettingKey.mebibytes(
            "hearth.rpc.message.maxSize",
            128,
            1,
            MESSAGE_MEBIBYTES_MAX,
            "Maximum size of a message that a process" + " sends or accepts.");
    private static final SettingKey<Integer> ASKS_PER_PEER_MAX = SettingKey.integer(
            "hearth.rpc.asksPerPeerMax",
            65_536,
            1,
            Integer.MAX_VALUE,
            "How many asks (messages that expect an answer) to one peer may wait for their answers.");
    private static final SettingKey<Integer> CONNECTIONS_MAX = SettingKey.integer(
            "hearth.rpc.connectionsMax",
            20_000,
            1,
            Integer.MAX_VALUE,
            "How many connections a listening process takes; further ones are closed at once.");
    private static final SettingKey<Integer> HANDSHAKES_MAX = SettingKey.integer(
            "hearth.rpc.handshakesMax",
            1_024,
            1,
            Integer.MAX_VALUE,
            "Maximum number of connections whose handshake has not ended; if there are more, the oldest are closed.");
    private static final SettingKey<Integer> UNAUTHENTICATED_MAX = SettingKey.integer(
            "hearth.rpc.unauthenticatedMax",
            0,
            0,
            Integer.MAX_VALUE,
            "Maximum number of connections in their handshake, and of HTTP connections without an accepted token;"
                    + " if there are more, the"
                    + " oldest idle ones are closed. 0: three quarters of hearth.rpc.connectionsMax, and at most"
                    + " half of"
                    + " what the limit of open files leaves.");
    private static final SettingKey<Integer> HTTP_BODY_MAX = SettingKey.mebibytes(
            "hearth.rest.maxRequestBodySize",
            100,
            1,
            MESSAGE_MEBIBYTES_MAX,
            "The longest body of an HTTP request; a handler may take less.");
    private static final SettingKey<Integer> HTTP_RESPONSE_MEMORY = SettingKey.mebibytes(
            "hearth.rest.maxResponseMemory",
            0,
            0,
            Integer.MAX_VALUE,
            "Memory for responses that wait for HTTP clients to read them; further requests get a 503. 0: a quarter"
                    + " of the"
                    + " heap.");
    private static final SettingKey<Integer> IO_THREADS = SettingKey.integer(
            "hearth.rpc.io.threads",
            0,
            0,
            THREADS_MAX,
            "Threads that read and write messages; 0: two where the process listens, else one.");
    private static final SettingKey<Integer> SHARED_THREADS = SettingKey.integer(
            "hearth.rpc.netty.dispatcher.numThreads",
            0,
            0,
            THREADS_MAX,
            "Threads that endpoints without a loop of their own share; 0: as many as there are cores, 2 to 8.");
    static final List<SettingKey<?>> KEYS = List.of(
            MESSAGE_MAX_SIZE,
            ASKS_PER_PEER_MAX,
            CONNECTIONS_MAX,
            HANDSHAKES_MAX,
            UNAUTHENTICATED_MAX,
            HTTP_BODY_MAX,
            HTTP_RESPONSE_MEMORY,
            IO_THREADS,
            SHARED_THREADS);

    /** Limits of a process without settings for them. */
    public static final RpcLimits DEFAULTS = read(new SettingsReader(Settings.empty()));

    public RpcLimits {
        new Problems("hearth.rpc")
                .expect(
                        messageBytesMax >= MEBIBYTE && messageBytesMax <= MESSAGE_MEBIBYTES_MAX * MEBIBYTE,
                        "message.maxSize",
                        messageBytesMax,
                        "1m to 1024m")
                .expect(asksPerPeerMax > 0, "asksPerPeerMax", asksPerPeerMax, "1 or more")
                .expect(connectionsMax > 0, "connectionsMax", connectionsMax, "1 or more")
                .expect(handshakesMax > 0, "handshakesMax", handshakesMax, "1 or more")
                .expect(unauthenticatedMax >= 0, "unauthenticatedMax", unauthenticatedMax, "0 or more")
                .expect(ioThreads >= 0 && ioThreads <= THREADS_MAX, "io.threads", ioThreads, "0 to " + THREADS_MAX)
                .throwIfAny();
    }

    static RpcLimits read(SettingsReader in) {
        return new RpcLimits(
                in.read(MESSAGE_MAX_SIZE) * MEBIBYTE,
                in.read(ASKS_PER_PEER_MAX),
                in.read(CONNECTIONS_MAX),
                in.read(HANDSHAKES_MAX),
                in.read(UNAUTHENTICATED_MAX),
                in.read(HTTP_BODY_MAX) * MEBIBYTE,
                (long) in.read(HTTP_RESPONSE_MEMORY) * MEBIBYTE,
                in.read(IO_THREADS),
                in.read(SHARED_THREADS));
    }

    public RpcLimits withMessageBytesMax(int bytes) {
        return new RpcLimits(
                bytes,
                asksPerPeerMax,
                connectionsMax,
                handshakesMax,
                unauthenticatedMax,
                httpBodyBytesMax,
                httpResponseBytesMax,
                ioThreads,
                sharedThreads);
    }

    public RpcLimits withAsksPerPeerMax(int asks) {
        return new RpcLimits(
                messageBytesMax,
                asks,
                connectionsMax,
                handshakesMax,
                unauthenticatedMax,
                httpBodyBytesMax,
                httpResponseBytesMax,
                ioThreads,
                sharedThreads);
    }

    public RpcLimits withConnections(int open, int inHandshake) {
        return new RpcLimits(
                messageBytesMax,
                asksPerPeerMax,
                open,
                inHandshake,
                unauthenticatedMax,
                httpBodyBytesMax,
                httpResponseBytesMax,
                ioThreads,
                sharedThreads);
    }

    public RpcLimits withUnauthenticatedMax(int connections) {
        return new RpcLimits(
                messageBytesMax,
                asksPerPeerMax,
                connectionsMax,
                handshakesMax,
                connections,
                httpBodyBytesMax,
                httpResponseBytesMax,
                ioThreads,
                sharedThreads);
    }

    public RpcLimits withHttpBytes(int bodyMax, long responsesMax) {
        return new RpcLimits(
                messageBytesMax,
                asksPerPeerMax,
                connectionsMax,
                handshakesMax,
                unauthenticatedMax,
                bodyMax,
                responsesMax,
                ioThreads,
                sharedThreads);
    }
}
