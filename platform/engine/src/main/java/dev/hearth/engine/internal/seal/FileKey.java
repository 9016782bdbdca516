package dev.hearth.engine.internal.seal;

import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** What the temporary files of one application are sealed with, in all of its processes. Immutable; says nothing of itself. */
public final class FileKey {
    static final String CIPHER = "AES";

    private final SecretKey key;

    FileKey(byte[] bytes) {
        this.key = new SecretKeySpec(bytes, CIPHER);
    }

    SecretKey key() {
        return key;
    }
}
