package dev.hearth.rpc.internal.security;

import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.Secret;
import dev.hearth.spi.time.Ticker;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the connections of one env are secured with: TLS handlers for both directions, and the two sides of the proof. What
 * takes long is made at the first use; where every connection is encrypted, on a thread of its own before that. Any thread may
 * call; ends with its env.
 */
public final class ChannelSecurity implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChannelSecurity.class);
    private static final DefaultThreadFactory REHEARSALS = new DefaultThreadFactory("hearth-rpc-tls-rehearsal", true);
    private static final String REHEARSED_HOST = "rehearsal.invalid";
    private static final int REHEARSED_PORT = 1;

    private final RpcSecurity settings;
    private final Ticker ticker;
    private final SecureRandom random = new SecureRandom();
    private final Secret nobodys = Secret.random();
    private final @Nullable CertificateFiles files;
    private final CompletableFuture<Boolean> rehearsed = new CompletableFuture<>();
    private @Nullable Credentials made; // guarded by this, as is the next one
    private @Nullable ExecutorService work;
    private boolean closed; // guarded by this

    /** Reads the certificates of {@code settings}, if it names any, and refuses bad ones. */
    public ChannelSecurity(RpcSecurity settings, Ticker ticker) {
        this.settings = settings;
        this.ticker = ticker;
        this.files = settings.encrypted()
                ? settings.certificates()
                        .map(found -> new CertificateFiles(found, random, ticker))
                        .orElse(null)
                : null;
        if (settings.encrypted()) {
            REHEARSALS.newThread(this::rehearse).start();
        } else {
            rehearsed.complete(false);
        }
    }

    /** Completes once what the first connection needs is there, as far as it could be made before; never fails. */
    CompletionStage<Boolean> rehearsed() {
        return rehearsed;
    }

    /** Whether every connection is encrypted: those we open are, and others are refused. */
    public boolean encrypts() {
        return settings.encrypted();
    }

    /** Whether connections over which a secret is proved are encrypted, be it that of one scope alone. */
    public boolean encryptsWhatIsProved() {
        return settings.encrypted() || !settings.trustedNetwork();
    }

    /** Whether a connection is encrypted that is opened for a scope with this secret. */
    public boolean encrypts(Optional<Secret> secret) {
        return secret.isPresent() ? encryptsWhatIsProved() : encrypts();
    }

    /** Whether the process itself wants everybody to prove something. */
    public boolean authenticates() {
        return settings.secret().isPresent();
    }

    /** TLS for a connection that came in and begins as TLS does. */
    public SslHandler accepting() {
        return handler(credentials().accepting());
    }

    /** TLS for a connection to {@code address}. */
    public SslHandler connecting(RpcAddress address) {
        return handler(credentials().connecting(address.host(), address.port()));
    }

    /** The proof for the side that connected to {@code remote}. */
    public ProofHandler proving(ProofTerms terms, Secret secret, String remote, ProofHandler.Outcome outcome) {
        return new ProofHandler(new ClientProof(terms, secret, random), remote, outcome);
    }

    /** The proof for the side that was connected to; without a secret, for a scope that is not there, it fails. */
    public ProofHandler admitting(
            ProofTerms terms, Optional<Secret> secret, String remote, ProofHandler.Outcome outcome) {
        return new ProofHandler(new ServerProof(terms, secret, nobodys, random), remote, outcome);
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (work != null) {
            work.shutdownNow();
        }
    }

    /** Does once what the first connection does, so that it does not have to wait for all of it. */
    private void rehearse() {
        boolean agreed = false;
        try {
            Optional<SSLSession> session = new TlsWarmup(
                            () -> credentials().connecting(REHEARSED_HOST, REHEARSED_PORT),
                            () -> credentials().accepting())
                    .run();
            agreed = session.isPresent();
            ChannelBinding tunnel = session.map(ChannelBinding::connecting).orElse(ChannelBinding.NONE);
            Bytes nonce = Nonces.next(random);
            Proof.make(nobodys, Proof.Role.CONNECTING, new ProofTerms("", "", 0, tunnel), nonce, nonce);
            accepting(); // for the classes of its handler
        } catch (RuntimeException failure) {
            LOG.debug("TLS: not rehearsed, so the first connection may take longer", failure);
        } finally {
            rehearsed.complete(agreed);
        }
    }

    private SslHandler handler(SSLEngine engine) {
        SslHandler handler = new SslHandler(engine, work());
        handler.setHandshakeTimeoutMillis(0); // whoever adds it bounds its time, with that of what follows
        return handler;
    }

    private Credentials credentials() {
        return files == null ? selfMade() : files.current();
    }

    private synchronized Credentials selfMade() {
        if (made == null) {
            Identity own = SelfSigned.make(random, ticker.wall());
            made = Credentials.of(own, new DeferredTrustManager(own.certificate()), false, random);
        }
        return made;
    }

    /** One thread for what handshakes compute, so that those who only begin them do not slow who is connected. */
    private synchronized ExecutorService work() {
        if (closed) {
            throw new IllegalStateException("TLS: its env is closed (expected: an open one)");
        }
        if (work == null) {
            work = Executors.newSingleThreadExecutor(new DefaultThreadFactory("hearth-rpc-tls", true));
        }
        return work;
    }
}
