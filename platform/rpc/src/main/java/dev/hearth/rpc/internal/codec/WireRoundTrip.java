package dev.hearth.rpc.internal.codec;

import dev.hearth.spi.rpc.Protocol;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sends messages through the codec and back, so that what is only simulated still crosses the wire format.
 * <p>Keeps the codec of each protocol it met for as long as it lives itself. Any thread may call.
 */
public final class WireRoundTrip {
    private static final int MESSAGE_BYTES_MAX = 128 * 1024 * 1024;

    private final Map<Protocol, ProtocolCodec> codecs = new ConcurrentHashMap<>();

    /** What the receiver of {@code message} would get; fails as sending it would. */
    public Record copy(Protocol protocol, Record message) {
        ProtocolCodec codec = codecs.computeIfAbsent(protocol, ProtocolCodec::new);
        WireOutput out = new WireOutput(MESSAGE_BYTES_MAX);
        codec.encode(message, out);
        return codec.decode(new WireInput(out.array(), 0, out.size()));
    }
}
