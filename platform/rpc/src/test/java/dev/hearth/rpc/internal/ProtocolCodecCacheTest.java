package dev.hearth.rpc.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.hearth.rpc.internal.codec.ProtocolCodec;
import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;

class ProtocolCodecCacheTest {
    private static final int COLLECTIONS_MAX = 50;
    private static final long WAIT_MILLIS_MAX = 200;

    private final ProtocolCodecCache codecs = new ProtocolCodecCache();

    record Message(int value) {}

    @Test
    void sharesTheCodecOfOneProtocolObject() {
        Protocol protocol = protocol();
        ProtocolCodec codec = codecs.codec(protocol);
        assertSame(codec, codecs.codec(protocol));
        assertNotSame(codec, codecs.codec(protocol()));
    }

    @Test
    void releasesAnUnusedProtocol() throws Exception {
        ReferenceQueue<Object> gone = new ReferenceQueue<>();
        WeakReference<Object> protocol = useOnce(gone);
        Reference<?> collected = null;
        for (int round = 0; round < COLLECTIONS_MAX && collected == null; round++) {
            System.gc();
            collected = gone.remove(WAIT_MILLIS_MAX);
        }
        assertNotNull(collected, "the protocol is held by something");
        assertEquals(protocol, collected);
    }

    private WeakReference<Object> useOnce(ReferenceQueue<Object> gone) {
        Protocol protocol = protocol();
        codecs.codec(protocol).require(new Message(1));
        return new WeakReference<>(protocol, gone);
    }

    private static Protocol protocol() {
        return Protocol.named("short-lived", MethodHandles.lookup())
                .message(1, Message.class)
                .build();
    }
}
