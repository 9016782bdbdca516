package dev.hearth.rpc.internal;

import dev.hearth.rpc.internal.codec.ProtocolCodec;
import dev.hearth.rpc.internal.thread.DaemonThreads;
import dev.hearth.spi.rpc.Protocol;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Shares one codec per protocol among all endpoints and endpoint references of an RPC environment. Codecs are
 * referenced weakly, so an unused codec and its classes can be unloaded. Guarded by its own lock.
 */
final class ProtocolCodecCache {
    private final Map<Protocol, WeakReference<ProtocolCodec>> byProtocol = new WeakHashMap<>();

    synchronized ProtocolCodec codec(Protocol protocol) {
        WeakReference<ProtocolCodec> held = byProtocol.get(protocol);
        @Nullable ProtocolCodec known = held == null ? null : held.get();
        if (known != null) {
            return known;
        }
        ProtocolCodec created = new ProtocolCodec(protocol, ProtocolCodecCache::compileInBackground);
        byProtocol.put(protocol, new WeakReference<>(created));
        return created;
    }

    /**
     * Compiles a serializer on a short-lived thread, because compilation takes milliseconds, too long for I/O loops.
     * This happens once per frequently used record type.
     */
    private static void compileInBackground(Runnable compilation) {
        Thread thread = DaemonThreads.ofThisBundle(new Thread(compilation, "hearth-rpc-compile"));
        thread.setDaemon(true);
        thread.start();
    }
}
