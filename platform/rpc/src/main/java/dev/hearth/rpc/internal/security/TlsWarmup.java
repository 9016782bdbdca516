package dev.hearth.rpc.internal.security;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS handshake of a process with itself, in memory. It creates the credentials and loads classes, so that the first
 * real connection starts faster. If it fails, that connection only takes longer. Used once, by one thread; the number
 * of steps is bounded.
 */
final class TlsWarmup {
    private static final Logger LOG = LoggerFactory.getLogger(TlsWarmup.class);
    private static final int STEPS_MAX = 100;
    private static final byte[] GREETING = {1, 2, 3};

    private final Supplier<SSLEngine> connectingSide;
    private final Supplier<SSLEngine> acceptingSide;

    TlsWarmup(Supplier<SSLEngine> connectingSide, Supplier<SSLEngine> acceptingSide) {
        this.connectingSide = connectingSide;
        this.acceptingSide = acceptingSide;
    }

    /**
     * Runs the handshake and returns the TLS session of the connecting side; empty if the handshake failed, for example
     * with certificates for other hosts.
     */
    Optional<SSLSession> run() {
        try {
            Side connecting = new Side(connectingSide.get());
            Side accepting = new Side(acceptingSide.get());
            for (int step = 0; step < STEPS_MAX && !(connecting.hasReceived() && accepting.hasReceived()); step++) {
                connecting.step(accepting);
                accepting.step(connecting);
            }
            return connecting.hasReceived() && accepting.hasReceived()
                    ? Optional.of(connecting.engine.getSession())
                    : Optional.empty();
        } catch (SSLException | RuntimeException refused) {
            LOG.debug("TLS: the warm-up handshake failed; the first connection may take longer", refused);
            return Optional.empty();
        }
    }

    /**
     * One end of the handshake. It sends a few bytes as soon as TLS permits, and receives the bytes of the other end.
     */
    private static final class Side {
        private final SSLEngine engine;
        private final ByteBuffer greeting = ByteBuffer.wrap(GREETING);
        private final ByteBuffer in; // encrypted bytes that this side has received
        private final ByteBuffer received;

        Side(SSLEngine engine) {
            this.engine = engine;
            this.in = ByteBuffer.allocate(2 * engine.getSession().getPacketBufferSize());
            this.received = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
        }

        boolean hasReceived() {
            return received.position() >= GREETING.length;
        }

        void step(Side other) throws SSLException {
            if (in.position() > 0) {
                in.flip();
                engine.unwrap(in, received);
                in.compact();
            }
            for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
                task.run();
            }
            HandshakeStatus status = engine.getHandshakeStatus();
            if (status != HandshakeStatus.NEED_UNWRAP
                    && (greeting.hasRemaining() || status == HandshakeStatus.NEED_WRAP)) {
                engine.wrap(greeting, other.in);
            }
        }
    }
}
