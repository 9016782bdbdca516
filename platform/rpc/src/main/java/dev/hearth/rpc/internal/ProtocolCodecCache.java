package dev.hearth.rpc.internal;

import dev.hearth.rpc.internal.codec.ProtocolCodec;
import dev.hearth.spi.rpc.Protocol;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Lets the endpoints and refs of one protocol in one env share a codec. It is held by them alone: once the last of them
 * is gone, so are the codec and the classes it knows. Guarded by its own lock.
 */
final class ProtocolCodecCache {
    private final Map<Protocol, WeakReference<ProtocolCodec>> byProtocol = new WeakHashMap<>();

    synchronized ProtocolCodec codec(Protocol protocol) {
        WeakReference<ProtocolCodec> held = byProtocol.get(protocol);
        @Nullable ProtocolCodec known = held == null ? null : held.get();
        if (known != null) {
            return known;
        }
        ProtocolCodec made = new ProtocolCodec(protocol, ProtocolCodecCache::compileApart);
        byProtocol.put(protocol, new WeakReference<>(made));
        return made;
    }

    /** Compiling takes milliseconds that I/O loops do not have; once per record that is used a lot, each a thread that ends. */
    private static void compileApart(Runnable compilation) {
        Thread thread = new Thread(compilation, "hearth-rpc-compile");
        thread.setDaemon(true);
        thread.start();
    }
}
