package dev.hearth.rpc.internal.security;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/** Two TLS engines that perform a handshake in memory, on the thread of the test. */
final class InMemoryTlsHandshake {
    private static final int STEPS_MAX = 100;
    private static final int BUFFER_BYTES = 64 * 1024;

    private InMemoryTlsHandshake() {}

    /** Returns when both are done; throws the failure of either one. */
    static void shake(SSLEngine connecting, SSLEngine accepting) throws SSLException {
        ByteBuffer there = ByteBuffer.allocate(BUFFER_BYTES);
        ByteBuffer back = ByteBuffer.allocate(BUFFER_BYTES);
        for (int i = 0; i < STEPS_MAX; i++) {
            step(connecting, back, there);
            step(accepting, there, back);
            if (isDone(connecting) && isDone(accepting) && there.position() == 0 && back.position() == 0) {
                return;
            }
        }
        throw new AssertionError("no end after " + STEPS_MAX + " steps: " + connecting.getHandshakeStatus() + ", "
                + accepting.getHandshakeStatus());
    }

    private static boolean isDone(SSLEngine engine) {
        return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
    }

    private static void step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
        if (isDone(engine)
                && in.position() == 0
                && !engine.getSession().getProtocol().equals("NONE")) {
            return;
        }
        in.flip();
        ByteBuffer nothing = ByteBuffer.allocate(BUFFER_BYTES);
        engine.unwrap(in, nothing);
        in.compact();
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
        engine.wrap(ByteBuffer.allocate(0), out);
    }
}
