package dev.hearth.rpc.internal.codec;

import dev.hearth.spi.rpc.Protocol;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Encodes and decodes messages, so that simulated messages cross the real wire format too.
 * <p>Keeps the codecs of all protocols it has used. Any thread may call.
 */
public final class WireRoundTrip {
    private static final int MESSAGE_BYTES_MAX = 128 * 1024 * 1024;

    private final Map<Protocol, ProtocolCodec> codecs = new ConcurrentHashMap<>();

    /** Returns {@code message} as its receiver would decode it. Fails as sending it would. */
    public Record copy(Protocol protocol, Record message) {
        ProtocolCodec codec = codecs.computeIfAbsent(protocol, ProtocolCodec::new);
        WireOutput out = new WireOutput(MESSAGE_BYTES_MAX);
        codec.encode(message, out);
        return codec.decode(new WireInput(out.array(), 0, out.size()));
    }
}
