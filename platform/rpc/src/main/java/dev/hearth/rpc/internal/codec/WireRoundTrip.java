package dev.hearth.rpc.internal.codec;

import dev.hearth.spi.rpc.Protocol;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Encodes and decodes messages without a network, so that simulations test the real wire format too.
 *
 * <p>It keeps the codecs of all protocols that it has used. Thread-safe.
 */
public final class WireRoundTrip {
    private static final int MESSAGE_BYTES_MAX = 128 * 1024 * 1024;

    private final Map<Protocol, ProtocolCodec> codecs = new ConcurrentHashMap<>();

    /** Returns {@code message} as its receiver would decode it. Fails if sending the message would fail. */
    public Record copy(Protocol protocol, Record message) {
        ProtocolCodec codec = codecs.computeIfAbsent(protocol, ProtocolCodec::new);
        WireOutput out = new WireOutput(MESSAGE_BYTES_MAX);
        codec.encode(message, out);
        return codec.decode(new WireInput(out.array(), 0, out.size()));
    }
}
