package dev.hearth.spi.rpc;

import dev.hearth.spi.settings.Secrets;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;

/** Shared secret by which two processes authenticate each other. {@link #toString} hides the secret. Immutable. */
public final class Secret {
    /** Minimum length of a secret in bytes: a shorter secret can be guessed from the record of one authentication. */
    public static final int BYTES_MIN = 16;

    private static final int RANDOM_BYTES = 32;

    private final byte[] content;

    private Secret(byte[] content) {
        this.content = content;
    }

    /**
     * The secret that {@code text}, from a setting or a file, contains. Throws an exception, which does not show the
     * text, if it is shorter than {@link #BYTES_MIN}.
     */
    public static Secret of(String text) {
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        if (content.length < BYTES_MIN) {
            throw new IllegalArgumentException(
                    "secret: " + content.length + " bytes (expected: " + BYTES_MIN + " or more)");
        }
        return new Secret(content);
    }

    /** Creates a random secret; {@link #reveal} returns its text for the processes that need it. */
    public static Secret random() {
        byte[] bytes = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(bytes);
        return of(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    /**
     * Text of the secret, to be passed only over secure channels: authenticated connections, standard input, files of
     * mode 0600.
     */
    public String reveal() {
        return new String(content, StandardCharsets.UTF_8);
    }

    /** Copy of the bytes of the secret, for computing the proof that this process knows it. */
    public byte[] key() {
        return content.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret secret && MessageDigest.isEqual(content, secret.content);
    }

    @Override
    public int hashCode() {
        return Secret.class.hashCode(); // constant, because a hash of the secret would leak information about it
    }

    @Override
    public String toString() {
        return Secrets.HIDDEN;
    }
}
