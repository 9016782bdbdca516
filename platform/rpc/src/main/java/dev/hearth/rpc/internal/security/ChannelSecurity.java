package dev.hearth.rpc.internal.security;

import dev.hearth.rpc.internal.thread.DaemonThreads;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.Secret;
import dev.hearth.spi.time.Ticker;
import io.netty.handler.ssl.SslHandler;
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
 * Creates the handlers that secure the connections of one RPC environment: TLS, and the mutual proof of a shared
 * secret. Credentials are expensive, so they are created lazily. If all connections are encrypted, a separate thread
 * creates them at start. Thread-safe.
 */
public final class ChannelSecurity implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChannelSecurity.class);
    private static final DaemonThreads WARMUP_THREADS = new DaemonThreads("hearth-rpc-tls-warmup");
    private static final String WARMUP_HOST = "warmup.invalid";
    private static final int WARMUP_PORT = 1;

    private final RpcSecurity settings;
    private final Ticker ticker;
    private final SecureRandom random = new SecureRandom();
    private final Secret unknownSecret = Secret.random();
    private final @Nullable CertificateFiles files;
    private final CompletableFuture<Boolean> warmedUp = new CompletableFuture<>();
    private @Nullable Credentials generated; // guarded by this, as is the next field
    private @Nullable ExecutorService work;
    private boolean closed; // guarded by this

    /** Reads the certificates that {@code settings} name, if any, and refuses invalid certificates. */
    public ChannelSecurity(RpcSecurity settings, Ticker ticker) {
        this.settings = settings;
        this.ticker = ticker;
        this.files = settings.encrypted()
                ? settings.certificates()
                        .map(found -> new CertificateFiles(found, random, ticker))
                        .orElse(null)
                : null;
        if (settings.encrypted()) {
            WARMUP_THREADS.newThread(this::warmUp).start();
        } else {
            warmedUp.complete(false);
        }
    }

    /**
     * Returns a future that completes when the warm-up for the first connection has ended. Its value is whether the TLS
     * handshake of the warm-up succeeded; false without encryption. It never fails.
     */
    CompletionStage<Boolean> warmedUp() {
        return warmedUp;
    }

    /**
     * Whether every connection is encrypted. If so, outgoing connections use TLS, and incoming connections without TLS
     * are refused.
     */
    public boolean encrypts() {
        return settings.encrypted();
    }

    /**
     * Whether connections with a mutual proof are encrypted. They are if every connection is, or if the network is not
     * trusted. The proved secret may be that of the process or of a single scope (application).
     */
    public boolean encryptsWhatIsProved() {
        return settings.encrypted() || !settings.trustedNetwork();
    }

    /** Whether outgoing connections for a scope with this secret are encrypted. */
    public boolean encrypts(Optional<Secret> secret) {
        return secret.isPresent() ? encryptsWhatIsProved() : encrypts();
    }

    /** Whether the process has a secret, which both sides of every connection must prove. */
    public boolean authenticates() {
        return settings.secret().isPresent();
    }

    /** Creates the TLS handler for an accepted connection whose first bytes are TLS. */
    public SslHandler accepting() {
        return handler(credentials().accepting());
    }

    /** Creates the TLS handler for a connection to {@code address}. */
    public SslHandler connecting(RpcAddress address) {
        return handler(credentials().connecting(address.host(), address.port()));
    }

    /**
     * Creates the handler that runs the connecting side of the mutual proof. {@code remote} is the address of the
     * accepting process, for error texts.
     */
    public ProofHandler proving(ProofTerms terms, Secret secret, String remote, ProofHandler.Outcome outcome) {
        return new ProofHandler(new ClientProof(terms, secret, random), remote, outcome);
    }

    /**
     * Creates the handler that runs the accepting side of the mutual proof. The proof fails if {@code secret} is empty,
     * as for an unknown scope. {@code remote} is the address of the connecting process, for error texts.
     */
    public ProofHandler admitting(
            ProofTerms terms, Optional<Secret> secret, String remote, ProofHandler.Outcome outcome) {
        return new ProofHandler(new ServerProof(terms, secret, unknownSecret, random), remote, outcome);
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (work != null) {
            work.shutdownNow();
        }
    }

    /** Runs a TLS handshake in memory and computes a proof, so that the first real connection starts faster. */
    private void warmUp() {
        boolean agreed = false;
        try {
            Optional<SSLSession> session = new TlsWarmup(
                            () -> credentials().connecting(WARMUP_HOST, WARMUP_PORT),
                            () -> credentials().accepting())
                    .run();
            agreed = session.isPresent();
            ChannelBinding tunnel = session.map(ChannelBinding::connecting).orElse(ChannelBinding.NONE);
            Bytes nonce = Nonces.next(random);
            Proof.make(unknownSecret, Proof.Role.CONNECTING, new ProofTerms("", "", 0, tunnel), nonce, nonce);
            accepting(); // the handler is not used; creating it loads its classes
        } catch (RuntimeException | LinkageError failure) { // the latter in a process that ends meanwhile
            LOG.debug("TLS: the warm-up failed; the first connection may take longer", failure);
        } finally {
            warmedUp.complete(agreed);
        }
    }

    private SslHandler handler(SSLEngine engine) {
        SslHandler handler = new SslHandler(engine, work());
        // no timeout here, because the caller bounds the time of the whole handshake
        handler.setHandshakeTimeoutMillis(0);
        return handler;
    }

    private Credentials credentials() {
        return files == null ? selfSigned() : files.current();
    }

    private synchronized Credentials selfSigned() {
        if (generated == null) {
            Identity own = SelfSigned.make(random, ticker.wall());
            generated = Credentials.of(own, new DeferredTrustManager(own.certificate()), false, random);
        }
        return generated;
    }

    /**
     * Returns the executor for the computations of TLS handshakes. It has a thread of its own, so that new connections
     * do not slow down established ones.
     */
    private synchronized ExecutorService work() {
        if (closed) {
            throw new IllegalStateException("TLS: its env is closed (expected: an open one)");
        }
        if (work == null) {
            work = Executors.newSingleThreadExecutor(new DaemonThreads("hearth-rpc-tls"));
        }
        return work;
    }
}
