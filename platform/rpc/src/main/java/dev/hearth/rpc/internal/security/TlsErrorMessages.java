package dev.hearth.rpc.internal.security;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import io.netty.handler.ssl.NotSslRecordException;
import java.security.cert.CertificateException;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** Converts TLS failures into errors that state the cause and the setting to change. Stateless. */
public final class TlsErrorMessages {
    /** Magic bytes of Hearth's protocol in hexadecimal, as they appear in the text of a TLS failure. */
    private static final String OURS_HEX = "48525448";

    private static final int CAUSES_MAX = 16;

    private TlsErrorMessages() {}

    /** Creates the error for a failed connection with {@code remote}; empty if {@code cause} is not a TLS failure. */
    public static Optional<HearthException> describe(String remote, Throwable cause) {
        Throwable found = cause;
        for (int depth = 0; depth < CAUSES_MAX && found != null; depth++) {
            if (found instanceof NotSslRecordException || found instanceof SSLException) {
                return Optional.of(failure(remote, found));
            }
            found = found.getCause();
        }
        return Optional.empty();
    }

    /** Creates the error for a connection that was closed during the TLS handshake. */
    public static HearthException closed(String remote) {
        return ErrorCode.PEER_UNREACHABLE.failure(remote
                + ": the other side closed the connection during the TLS handshake (expected: a Hearth process with"
                + " TLS 1.3, which this process requires); is the other side stopping, or does it not use TLS? set"
                + " hearth.authenticate and hearth.ssl.rpc.enabled to the same values on both sides");
    }

    private static HearthException failure(String remote, Throwable cause) {
        String text = String.valueOf(cause.getMessage());
        if (cause instanceof NotSslRecordException) {
            String who = text.contains(OURS_HEX) ? "the other side is a Hearth process" : "the other side answered";
            return ErrorCode.PROTOCOL_MISMATCH.failure(
                    remote + ": " + who + " without TLS (expected: TLS 1.3, which this process requires); set"
                            + " hearth.authenticate and hearth.ssl.rpc.enabled to the same values on both sides",
                    cause);
        }
        String lower = text.toLowerCase(Locale.ROOT);
        if (lower.contains("fatal alert")) {
            boolean ofCertificate = lower.contains("certificate") || lower.contains("unknown_ca");
            return ofCertificate
                    ? ErrorCode.NOT_AUTHENTICATED.failure(
                            remote + ": the other side does not trust the certificate of this process: " + text + ""
                                    + " (expected: a certificate that it trusts); compare hearth.ssl.rpc.trustCerts"
                                    + " of the other side with hearth.ssl.rpc.certChain of this process",
                            cause)
                    : ErrorCode.PROTOCOL_MISMATCH.failure(
                            remote + ": the other side aborted TLS: " + text + " (expected: TLS 1.3); is the other"
                                    + " side a Hearth process with the same hearth.authenticate and"
                                    + " hearth.ssl.rpc.enabled?",
                            cause);
        }
        Optional<String> rejected = certificateProblem(cause);
        return rejected.isPresent()
                ? ErrorCode.NOT_AUTHENTICATED.failure(
                        remote + ": the certificate of the other side was not accepted, " + rejected.get()
                                + " (expected: a certificate for this host name, signed by one of"
                                + " hearth.ssl.rpc.trustCerts)",
                        cause)
                : ErrorCode.PROTOCOL_MISMATCH.failure(remote + ": TLS failed, " + text + " (expected: TLS 1.3)", cause);
    }

    /** Returns the reason why the remote certificate was rejected, in the words of the JDK. */
    private static Optional<String> certificateProblem(Throwable failure) {
        Throwable found = failure;
        Optional<String> problem = Optional.empty();
        for (int depth = 0; depth < CAUSES_MAX && found != null; depth++) {
            if (found instanceof CertificateException) {
                problem = Optional.of(String.valueOf(found.getMessage()));
            }
            found = found.getCause();
        }
        return problem;
    }
}
