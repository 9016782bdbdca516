package dev.hearth.spi.rpc;

import dev.hearth.spi.settings.Secrets;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;

/** What two processes share to prove to each other who they are. Never shown: its text form says nothing. Immutable. */
public final class Secret {
    /** The fewest bytes that are taken: shorter ones can be guessed from one proof. */
    public static final int BYTES_MIN = 16;

    private static final int RANDOM_BYTES = 32;

    private final byte[] content;

    private Secret(byte[] content) {
        this.content = content;
    }

    /** The secret that people wrote down. Refuses one that is too short to be one, without showing it. */
    public static Secret of(String text) {
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        if (content.length < BYTES_MIN) {
            throw new IllegalArgumentException(
                    "secret: " + content.length + " bytes (expected: " + BYTES_MIN + " or more)");
        }
        return new Secret(content);
    }

    /** A secret nobody else has; {@link #reveal} hands it to those who shall have it. */
    public static Secret random() {
        byte[] bytes = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(bytes);
        return of(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    /** The text to hand over by a way that is itself secret: a proved connection, standard input, a file of mode 0600. */
    public String reveal() {
        return new String(content, StandardCharsets.UTF_8);
    }

    /** The key of a proof; a copy. */
    public byte[] key() {
        return content.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret secret && MessageDigest.isEqual(content, secret.content);
    }

    @Override
    public int hashCode() {
        return Secret.class.hashCode(); // of the content, it would tell something about it
    }

    @Override
    public String toString() {
        return Secrets.HIDDEN;
    }
}
