package dev.hearth.engine.internal.encryption;

import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** What the temporary files of one application are sealed with, in all of its processes. Immutable; says nothing of itself. */
public final class FileEncryptionKey {
    static final String CIPHER = "AES";

    private final SecretKey key;

    FileEncryptionKey(byte[] bytes) {
        this.key = new SecretKeySpec(bytes, CIPHER);
    }

    SecretKey key() {
        return key;
    }
}
