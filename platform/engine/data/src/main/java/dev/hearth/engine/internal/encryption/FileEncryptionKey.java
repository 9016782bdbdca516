package dev.hearth.engine.internal.encryption;

import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * Key that encrypts the temporary files of one application, in all its processes. Immutable. It has no
 * {@code toString}, so that the key cannot get into logs.
 */
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
