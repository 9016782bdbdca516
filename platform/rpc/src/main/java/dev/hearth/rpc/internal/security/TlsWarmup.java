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
 * One handshake of a process with itself, in memory: it makes the credentials, and loads and sets up all that the first
 * connection would have to wait for. Nothing depends on how it ends. Used once, by one thread; bounded in its steps.
 */
final class TlsWarmup {
    private static final Logger LOG = LoggerFactory.getLogger(TlsWarmup.class);
    private static final int STEPS_MAX = 100;
    private static final byte[] WORDS = {1, 2, 3};

    private final Supplier<SSLEngine> connectingSide;
    private final Supplier<SSLEngine> acceptingSide;

    TlsWarmup(Supplier<SSLEngine> connectingSide, Supplier<SSLEngine> acceptingSide) {
        this.connectingSide = connectingSide;
        this.acceptingSide = acceptingSide;
    }

    /** The session of the connecting side; empty when the two did not agree, as with certificates for other hosts. */
    Optional<SSLSession> run() {
        try {
            Side connecting = new Side(connectingSide.get());
            Side accepting = new Side(acceptingSide.get());
            for (int step = 0; step < STEPS_MAX && !(connecting.hasHeard() && accepting.hasHeard()); step++) {
                connecting.step(accepting);
                accepting.step(connecting);
            }
            return connecting.hasHeard() && accepting.hasHeard()
                    ? Optional.of(connecting.engine.getSession())
                    : Optional.empty();
        } catch (SSLException | RuntimeException refused) {
            LOG.debug("TLS: not rehearsed to its end, so the first connection may take longer", refused);
            return Optional.empty();
        }
    }

    /** One end: says its words once it may, and hears those of the other. */
    private static final class Side {
        private final SSLEngine engine;
        private final ByteBuffer words = ByteBuffer.wrap(WORDS);
        private final ByteBuffer in; // to be read by this side
        private final ByteBuffer heard;

        Side(SSLEngine engine) {
            this.engine = engine;
            this.in = ByteBuffer.allocate(2 * engine.getSession().getPacketBufferSize());
            this.heard = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
        }

        boolean hasHeard() {
            return heard.position() >= WORDS.length;
        }

        void step(Side other) throws SSLException {
            if (in.position() > 0) {
                in.flip();
                engine.unwrap(in, heard);
                in.compact();
            }
            for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
                task.run();
            }
            HandshakeStatus status = engine.getHandshakeStatus();
            if (status != HandshakeStatus.NEED_UNWRAP
                    && (words.hasRemaining() || status == HandshakeStatus.NEED_WRAP)) {
                engine.wrap(words, other.in);
            }
        }
    }
}
