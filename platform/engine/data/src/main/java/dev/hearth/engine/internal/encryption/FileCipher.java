package dev.hearth.engine.internal.encryption;

import dev.hearth.spi.error.ErrorCode;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Encrypts and decrypts pieces of a file by AES-GCM. Each piece is preceded by a nonce that is never reused, and
 * followed by an authentication tag. The tag detects pieces that were changed, or moved to another position in the
 * file. Owned by one thread.
 */
public final class FileCipher {
    /** Size in bytes of the nonce before each piece. */
    public static final int LEAD_BYTES = 12;

    private static final int TAG_BYTES = 16;

    /** Number of bytes by which encryption enlarges a piece: the nonce and the authentication tag. */
    public static final int ADDED_BYTES = LEAD_BYTES + TAG_BYTES;

    private static final int COUNTER_AT = LEAD_BYTES - Long.BYTES;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final FileEncryptionKey key;
    private final Cipher cipher;
    // the nonce of the next piece: random for the first piece, then counted up
    private final byte[] nonce = new byte[LEAD_BYTES];
    private boolean nonceChosen;

    public FileCipher(FileEncryptionKey key) {
        this.key = key;
        try {
            this.cipher = Cipher.getInstance(FileEncryptionKey.CIPHER + "/GCM/NoPadding");
        } catch (GeneralSecurityException missing) {
            throw failed(missing);
        }
    }

    /**
     * Encrypts {@code length} bytes of {@code array} in place. These bytes start {@link #LEAD_BYTES} after index {@code
     * at}, because the nonce is written before them. After them, the array must have space for the tag. {@code place}
     * identifies the position of the bytes in the file and is authenticated. Returns the encrypted length, counted from
     * {@code at}.
     */
    public int seal(byte[] place, byte[] array, int at, int length) {
        if (!nonceChosen) {
            new SecureRandom().nextBytes(nonce);
            nonceChosen = true;
        }
        LONGS.set(nonce, COUNTER_AT, (long) LONGS.get(nonce, COUNTER_AT) + 1);
        System.arraycopy(nonce, 0, array, at, LEAD_BYTES);
        try {
            cipher.init(Cipher.ENCRYPT_MODE, key.key(), new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
            cipher.updateAAD(place);
            return LEAD_BYTES + cipher.doFinal(array, at + LEAD_BYTES, length, array, at + LEAD_BYTES);
        } catch (GeneralSecurityException failure) {
            throw failed(failure);
        }
    }

    /**
     * Decrypts the {@code length} bytes at index {@code at} of {@code sealed} into {@code out}. Fails if they were
     * changed, or were encrypted for another position in the file than {@code place}.
     */
    public void open(byte[] place, byte[] sealed, int at, int length, byte[] out) throws GeneralSecurityException {
        cipher.init(
                Cipher.DECRYPT_MODE, key.key(), new GCMParameterSpec(TAG_BYTES * Byte.SIZE, sealed, at, LEAD_BYTES));
        cipher.updateAAD(place);
        cipher.doFinal(sealed, at + LEAD_BYTES, length - LEAD_BYTES, out, 0);
    }

    private static RuntimeException failed(GeneralSecurityException failure) {
        return ErrorCode.INTERNAL.failure(
                "encryption of temporary files: AES-GCM is not available (expected: a JDK that has it)", failure);
    }
}
